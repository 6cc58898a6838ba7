import { Boundary, Sheet, sizeOf, Splitter } from '../parts/index.ts';
import { inspectorOf } from '../panels/index.ts';
import { go, useAddress } from '../stores/address.ts';
import { useNarrow } from '../parts/narrow.ts';
import { useLayout } from './layout.ts';
import styles from './Inspector.module.css';

/** In pixels of the normal text size. */
const LEAST_WIDTH = 320;

const close = (): void => go({ query: { sel: undefined, tab: undefined } });

/** Whatever is selected, beside the stage; on a phone over it. The address says what is selected. */
export function Inspector() {
  const selection = useAddress((address) => address.query['sel']);
  const narrow = useNarrow();
  const chosen = useLayout((layout) => layout.inspector);
  const colon = selection?.indexOf(':') ?? -1;
  const found = selection === undefined ? undefined : inspectorOf(selection.slice(0, colon));
  if (!found || selection === undefined) return null;
  const least = found.leastWidth ?? LEAST_WIDTH;
  const width = Math.max(chosen, least);
  const content = (
    <Boundary key={selection} what={found.title}>
      <found.Component selection={selection.slice(colon + 1)} />
    </Boundary>
  );
  if (narrow) {
    return (
      <Sheet open headed onClose={close} title={found.title}>
        {content}
      </Sheet>
    );
  }
  return (
    <aside className={styles.inspector} style={{ width: sizeOf(width) }} aria-label={found.title}>
      <Splitter
        label="Width of the inspector"
        edge="left"
        size={width}
        min={least}
        max={1000}
        onSize={(inspector) => useLayout.setState({ inspector })}
      />
      {content}
    </aside>
  );
}
