import { useEffect } from 'preact/compat';
import { sizeOf, Splitter } from '../../parts/index.ts';
import { useNarrow } from '../../parts/narrow.ts';
import { useLayout } from '../../shell/layout.ts';
import { Waiting } from '../../parts/Waiting.tsx';
import { go, useAddress } from '../../stores/address.ts';
import { findResource, useResources } from '../../stores/resources.ts';
import { ResourceList } from './ResourceList.tsx';
import { ResourceTable } from './ResourceTable.tsx';
import styles from './ExplorePanel.module.css';

/** Every resource type at the left, the server's table of the chosen one in the middle. */
export default function ExplorePanel() {
  const [group = 'core', plural = 'pods'] = useAddress((address) => address.path);
  const resources = useResources((state) => state.resources);
  const resource = findResource(resources, group, plural);
  const narrow = useNarrow();
  const width = useLayout((layout) => layout.list);
  useUnknownResource(resource === undefined);
  return (
    <div className={styles.panel}>
      {!narrow && (
        <div className={styles.list} style={{ width: sizeOf(width) }}>
          <ResourceList current={resource} />
          <Splitter
            label="Width of the list"
            edge="right"
            size={width}
            min={140}
            max={360}
            onSize={(list) => useLayout.setState({ list })}
          />
        </div>
      )}
      {resource ? (
        <ResourceTable key={`${group}/${plural}`} resource={resource} />
      ) : (
        <Waiting what="Loading the resource types" />
      )}
    </div>
  );
}

/** An address of a resource that is not (or no longer) served leads to the pods. */
function useUnknownResource(unknown: boolean): void {
  const loaded = useResources((state) => state.loaded && state.resources.length > 0);
  useEffect(() => {
    if (unknown && loaded) go({ path: ['core', 'pods'] }, true);
  }, [unknown, loaded]);
}
