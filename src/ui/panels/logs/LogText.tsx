import { cx } from '../../parts/index.ts';
import { getOwn } from '../../../std/index.ts';
import { spansOf, type Span } from './ansi.ts';
import type { LogRow } from './rows.ts';
import styles from './logs.module.css';

/** The text of a row: its colours, and where it matches what is searched for. */
export function LogText({ row, search }: { readonly row: LogRow; readonly search: string }) {
  const { line, from, to } = row;
  const spans = line.raw === undefined ? [{ text: line.text, looks: [] }] : spansOf(line.raw);
  return cut(spans, from, to).map(({ text, looks }, i) => (
    <span key={i} className={cx(...looks.map((look) => getOwn(styles, look)))}>
      <Marked text={text} search={search} />
    </span>
  ));
}

/** The part of some spans that stands between two places of their text. */
function cut(spans: readonly Span[], from: number, to: number): readonly Span[] {
  let at = 0;
  return spans.flatMap((span) => {
    const begin = at;
    at += span.text.length;
    const text = span.text.slice(Math.max(0, from - begin), Math.max(0, to - begin));
    return text === '' ? [] : [{ ...span, text }];
  });
}

function Marked({ text, search }: { readonly text: string; readonly search: string }) {
  const place = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (place < 0) return text;
  const end = place + search.length;
  return (
    <>
      {text.slice(0, place)}
      <mark className={styles.found}>{text.slice(place, end)}</mark>
      <Marked text={text.slice(end)} search={search} />
    </>
  );
}
