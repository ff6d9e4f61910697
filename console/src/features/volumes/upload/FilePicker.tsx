/** A button that opens the browser's choice of files, or of one folder. */
import { Button } from '@mantine/core';
import { useRef } from 'react';
import { Icon } from '@/ui/icons';

interface Props {
  label: string;
  folder?: boolean;
  /** The plain height of a button in a toolbar. */
  tall?: boolean;
  onFiles: (files: File[]) => void;
}

export function FilePicker({ label, folder = false, tall, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        size={tall ? undefined : 'compact-xs'}
        variant="default"
        leftSection={<Icon name={folder ? 'projects' : 'upload'} size={14} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={(element) => {
          input.current = element;
          if (folder) element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          currentTarget.value = '';
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
