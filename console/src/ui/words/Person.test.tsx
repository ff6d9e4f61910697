import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Person, personColour } from './Person';

const dots = (name: string) => screen.getAllByText(name).map((each) => each.querySelector('i')!.style.background);

it('a person has their name beside their colour, the same wherever it stands', () => {
  render(
    <>
      <Person name="lin" />
      <Person name="lin" />
      <Person name="wang" />
    </>,
  );
  expect(dots('lin')).toEqual([personColour('lin'), personColour('lin')]);
  expect(dots('wang')).toEqual([personColour('wang')]);
  expect(personColour('lin')).not.toBe(personColour('wang'));
});
