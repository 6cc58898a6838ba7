import type { ReactNode } from 'preact/compat';
import { Boundary, Tabs } from '../parts/index.ts';
import { docks } from '../panels/index.ts';
import { useLayout } from './layout.ts';

/** What the open dock shows; `end` stands at the end of its tabs. */
export default function DockTabs({ end }: { readonly end?: ReactNode }) {
  const tab = useLayout((layout) => layout.dockTab);
  return (
    <Tabs
      label="Dock"
      value={docks.some((dock) => dock.id === tab) ? tab : 'requests'}
      onValue={(dockTab) => useLayout.setState({ dockTab })}
      tabs={docks.map(({ id, title, Component }) => ({
        value: id,
        label: title,
        content: () => (
          <Boundary key={id} what={title}>
            <Component />
          </Boundary>
        ),
      }))}
      end={end}
    />
  );
}
