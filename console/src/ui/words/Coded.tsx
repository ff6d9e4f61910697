/** A sentence in which backticks mark what is to be typed as it stands. */
import ink from '@/ui/theme/ink.module.css';

export function Coded({ text }: { text: string }) {
  // Between two backticks is every second part.
  return text.split(/`([^`]*)`/).map((part, index) =>
    index % 2 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one sentence have no other name
      <code key={index} className={ink.code}>
        {part}
      </code>
    ) : (
      part
    ),
  );
}
