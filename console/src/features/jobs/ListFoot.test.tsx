import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { jobKeys } from '@/api/jobs';
import { queryClient } from '@/app/queries';
import { openConsole } from '@/testing/app';
import { row, session } from '@/testing/samples';

/** What is read aloud of how many there are. */
const said = () =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .filter((text) => text?.endsWith(' jobs'));

it('says aloud how many jobs one asked for, but not every one that comes', async () => {
  let count = 3;
  openConsole('/jobs', {
    'GET session': session,
    'GET jobs': () => ({
      items: Array.from({ length: count }, (_, index) => row({ id: `j${count - index}` })),
      total: count,
      next_cursor: null,
    }),
  });
  await waitFor(() => expect(said()).toEqual(['3 jobs']));
  count = 4;
  await act(() => queryClient.invalidateQueries({ queryKey: jobKeys.all }));
  expect(await screen.findByText(/of 4$/)).toBeTruthy();
  expect(said()).toEqual(['3 jobs']);
  fireEvent.click(screen.getByRole('button', { name: 'My jobs' }));
  await waitFor(() => expect(said()).toEqual(['4 jobs']));
});
