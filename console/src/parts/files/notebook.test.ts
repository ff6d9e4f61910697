import { describe, expect, it } from 'vitest';
import { readNotebook } from './notebook';

const cell = (outputs: unknown[]) =>
  JSON.stringify({ cells: [{ cell_type: 'code', execution_count: 3, source: ['a = 1\n', 'a'], outputs }] });
const outputs = (...given: unknown[]) => readNotebook(cell(given))!.cells[0]!.outputs;

describe('readNotebook', () => {
  it('has the cells with what they printed, drew and failed with', () => {
    const shown = outputs(
      { output_type: 'stream', name: 'stdout', text: ['one\n', 'two'] },
      { output_type: 'display_data', data: { 'text/plain': 'fig', 'image/png': 'iVBORw0KGgo=\n' } },
      { output_type: 'error', traceback: ['\u001b[0;31mValueError\u001b[0m', 'no'] },
    );
    expect(shown).toEqual([
      { kind: 'text', text: 'one\ntwo' },
      { kind: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
      { kind: 'error', text: 'ValueError\nno' },
    ]);
    expect(readNotebook(cell([]))!.cells[0]).toMatchObject({ kind: 'code', source: 'a = 1\na', count: 3 });
  });

  it('lets nothing through that could run', () => {
    expect(outputs({ data: { 'text/html': '<script>x()</script>' } })).toEqual([{ kind: 'hidden', type: 'text/html' }]);
    expect(outputs({ data: { 'image/svg+xml': '<svg onload="x()"/>' } })).toEqual([{ kind: 'hidden', type: 'image/svg+xml' }]);
    expect(outputs({ data: { 'image/png': '"><script>', 'text/plain': 'p' } })).toEqual([{ kind: 'text', text: 'p' }]);
  });

  it('survives whatever it is given', () => {
    for (const text of ['', '[]', '{}', '{"cells":{}}', 'null', '{"worksheets":[1]}']) expect(readNotebook(text)).toBeNull();
    const odd = { cells: [1, null, { source: [1, 'a'], outputs: [7, {}, { traceback: [null] }] }] };
    expect(readNotebook(JSON.stringify(odd))!.cells).toEqual([
      { kind: 'raw', source: 'a', count: null, outputs: [{ kind: 'error', text: '' }] },
    ]);
    const many = { cells: Array.from({ length: 700 }, () => ({ cell_type: 'markdown', source: 'x' })) };
    expect(readNotebook(JSON.stringify(many))).toMatchObject({ more: 200 });
  });

  it('reads the format before version 4', () => {
    const old = { worksheets: [{ cells: [{ cell_type: 'code', input: ['b'], prompt_number: 1, outputs: [] }] }] };
    expect(readNotebook(JSON.stringify(old))!.cells[0]).toMatchObject({ source: 'b', count: 1 });
  });
});
