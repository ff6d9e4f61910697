/** Markdown that somebody wrote, as elements: no HTML, nothing that is fetched from elsewhere. Load it lazily. */
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { parseMarkdown } from './parse';
import type { Block, Inline } from './parse';
import style from './Markdown.module.css';

/* oxlint-disable react/no-array-index-key -- what is parsed has nothing but its place */

/** `below`: the level of the heading that it stands under. */
export default function Markdown({ text, below = 2 }: { text: string; below?: number }) {
  const blocks = useMemo(() => parseMarkdown(text), [text]);
  return (
    <div className={style.text}>
      <Blocks of={blocks} below={below} />
    </div>
  );
}

function Blocks({ of, below }: { of: readonly Block[]; below: number }): ReactNode {
  return of.map((block, at) => <Shown key={at} block={block} below={below} />);
}

function Shown({ block, below }: { block: Block; below: number }): ReactNode {
  switch (block.kind) {
    case 'heading': {
      const Heading = `h${Math.min(6, block.level + below)}` as 'h3';
      return (
        <Heading className={style.heading} data-level={block.level}>
          {words(block.inside)}
        </Heading>
      );
    }
    case 'paragraph':
      return <p>{words(block.inside)}</p>;
    case 'code':
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling region must be reachable by keyboard
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'quote':
      return (
        <blockquote>
          <Blocks of={block.blocks} below={below} />
        </blockquote>
      );
    case 'list': {
      const items = block.items.map((item, at) => <li key={at}>{only(item) ?? <Blocks of={item} below={below} />}</li>);
      return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        <div className={style.table}>
          <table>
            <thead>
              <tr>
                {block.head.map((cell, at) => (
                  <th key={at}>{words(cell)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {block.rows.map((row, number) => (
                <tr key={number}>
                  {row.map((cell, at) => (
                    <td key={at}>{words(cell)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'rule':
      return <hr />;
  }
}

/** The words of an item that is one line. */
function only(item: readonly Block[]): ReactNode {
  const [first] = item;
  return item.length === 1 && first?.kind === 'paragraph' ? words(first.inside) : undefined;
}

function words(of: readonly Inline[]): ReactNode {
  return of.map((one, at) => {
    switch (one.kind) {
      case 'text':
        return one.text;
      case 'code':
        return <code key={at}>{one.text}</code>;
      case 'strong':
        return <strong key={at}>{words(one.inside)}</strong>;
      case 'em':
        return <em key={at}>{words(one.inside)}</em>;
      case 'link':
        return (
          <a key={at} href={one.to} target="_blank" rel="noreferrer noopener nofollow">
            {words(one.inside)}
          </a>
        );
    }
  });
}
