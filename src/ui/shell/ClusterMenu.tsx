import { Box, Cable, Camera, LogOut, Plus, RotateCcw, Share2 } from 'lucide-preact';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../parts/index.ts';
import { go } from '../stores/address.ts';
import { closeCluster, forkRefusal, resetRefusal, switchCluster, useCluster, useSession } from '../stores/session.ts';
import { showOverlay } from './overlay.ts';
import { Question } from './Question.tsx';
import type { BootOptions } from '../host.ts';

function switchTo(options: BootOptions): void {
  go({ cluster: options.name, panel: 'glass', path: [] });
  void switchCluster(options);
}

async function leave(): Promise<void> {
  go({ cluster: '', panel: '', path: [] });
  await closeCluster();
}

/** Which cluster; and the way to the others. */
export function ClusterMenu() {
  const { cluster, names } = useCluster();
  const known = useSession((state) => state.known) ?? [];
  const others = known.filter((each) => each.name !== cluster.name);
  return (
    <Menu trigger={<Question icon={Box} question="Cluster" answer={cluster.name} />}>
      <MenuLabel>{`${cluster.name}, names of ${names.profile}`}</MenuLabel>
      {others.length > 0 && <MenuLine />}
      {others.map((each) => (
        <MenuItem key={each.name} icon={Box} label={each.name} onSelect={() => switchTo(each.options)} />
      ))}
      <MenuLine />
      <MenuItem
        icon={Share2}
        label="Share or export"
        note="A link, a file, manifests."
        onSelect={() => showOverlay('share')}
      />
      <MenuItem icon={Cable} label="Connect kubectl" onSelect={() => go({ panel: 'requests', path: ['clients'] })} />
      <MenuItem
        icon={Camera}
        label="Keep a snapshot"
        unavailable={forkRefusal(cluster)}
        onSelect={() => showOverlay('snapshot')}
      />
      <MenuItem
        icon={RotateCcw}
        label="Reset"
        unavailable={resetRefusal(cluster)}
        onSelect={() => showOverlay('reset')}
      />
      <MenuItem icon={Plus} label="New cluster" onSelect={() => void leave()} />
      <MenuItem icon={LogOut} label="Leave this cluster" note="It stays as it is." onSelect={() => void leave()} />
    </Menu>
  );
}
