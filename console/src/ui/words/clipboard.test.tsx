import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/app/notify';
import { canPaste, Copy, copyText } from './clipboard';

vi.mock('@/app/notify', () => ({ notify: vi.fn<() => void>() }));

function browser(clipboard: unknown, execCommand: () => boolean) {
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
  document.execCommand = execCommand;
}

afterEach(() => {
  vi.mocked(notify).mockClear();
});

describe('copying', () => {
  it('uses the clipboard where there is one', async () => {
    const writeText = vi.fn<(text: string) => Promise<void>>(() => Promise.resolve());
    browser({ writeText }, () => false);
    expect(await copyText('abc')).toBe(true);
    expect(writeText).toHaveBeenCalledWith('abc');
  });

  it('copies on plain HTTP, where there is none, and leaves the focus where it was', async () => {
    let selected = '';
    browser(undefined, () => {
      selected = (document.activeElement as HTMLTextAreaElement).value;
      return true;
    });
    render(
      <MantineProvider>
        <Copy text="secret" label="Copy it" />
      </MantineProvider>,
    );
    const button = screen.getByRole('button', { name: 'Copy it' });
    button.focus();
    fireEvent.click(button);
    expect(await screen.findByRole('button', { name: 'Copied' })).toBe(document.activeElement);
    expect(selected).toBe('secret');
    expect(document.querySelector('textarea')).toBeNull();
    expect(canPaste()).toBe(false);
  });

  it('says so where it cannot be done, and does not claim to have copied', async () => {
    browser({ writeText: () => Promise.reject(new Error('no permission')) }, () => false);
    render(
      <MantineProvider>
        <Copy words text="secret" label="Copy it" />
      </MantineProvider>,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Copy it' }));
    await vi.waitFor(() => expect(notify).toHaveBeenCalledWith(expect.objectContaining({ bad: true })));
    expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
  });
});
