import { useHotkey } from '../parts/index.ts';
import { panels } from '../panels/index.ts';
import { go } from '../stores/address.ts';

/** Keys of the panels: `g` and a letter each. Stands in the rail, where the panels are. */
export function PanelKeys() {
  return panels.map((panel) => <PanelKey key={panel.id} id={panel.id} keys={panel.keys} title={panel.title} />);
}

function PanelKey({ id, keys, title }: { readonly id: string; readonly keys: string; readonly title: string }) {
  useHotkey(keys, () => go({ panel: id }), `Go to ${title}`);
  return null;
}
