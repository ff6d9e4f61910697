import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { accessibilityProblems } from '@/testing/app';
import { Dropdown, MenuChoice, MenuItem } from './Dropdown';

const ignore = () => undefined;

function Sample({ onChoose = ignore }: { onChoose?: (what: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <main>
      <Dropdown kind="menu" label="Fruit" open={open} onChange={setOpen} button={{ children: 'Choose' }}>
        <MenuItem onChoose={() => onChoose('apple')}>Apple</MenuItem>
        <MenuChoice chosen onChoose={() => onChoose('banana')}>
          Banana
        </MenuChoice>
        <MenuItem onChoose={() => onChoose('cherry')}>Cherry</MenuItem>
      </Dropdown>
      <input aria-label="elsewhere" />
    </main>
  );
}

const opener = () => screen.getByRole('button', { name: 'Choose' });
const focused = () => document.activeElement?.textContent;
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });

describe('a menu', () => {
  it('opens at what is chosen and says so', async () => {
    render(<Sample />);
    expect(opener().getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(opener());
    expect(opener().getAttribute('aria-expanded')).toBe('true');
    expect(focused()).toBe('Banana');
    expect(await accessibilityProblems()).toEqual([]);
  });

  it('is walked with the arrows, Home, End and letters', () => {
    render(<Sample />);
    fireEvent.click(opener());
    const visited = ['ArrowDown', 'ArrowDown', 'ArrowUp', 'Home', 'End', 'b'].map((key) => {
      press(key);
      return focused();
    });
    expect(visited).toEqual(['Cherry', 'Apple', 'Cherry', 'Apple', 'Cherry', 'Banana']);
  });

  it('does what is chosen, closes and gives the focus back', () => {
    const chosen: string[] = [];
    render(<Sample onChoose={(what) => chosen.push(what)} />);
    fireEvent.click(opener());
    fireEvent.click(screen.getByRole('menuitem', { name: 'Cherry' }));
    expect(chosen).toEqual(['cherry']);
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(opener());
  });

  it('closes by Escape, by its button, by a press elsewhere and by leaving', () => {
    render(<Sample />);
    const closings = [
      () => press('Escape'),
      () => fireEvent.click(opener()),
      () => fireEvent.pointerDown(screen.getByRole('textbox')),
      () => fireEvent.blur(document.activeElement!, { relatedTarget: screen.getByRole('textbox') }),
    ];
    for (const close of closings) {
      fireEvent.click(opener());
      expect(screen.getByRole('menu')).toBeTruthy();
      close();
      expect(screen.queryByRole('menu')).toBeNull();
    }
  });
});
