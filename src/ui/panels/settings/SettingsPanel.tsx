import { switchCluster, useCluster } from '../../stores/session.ts';
import { go, useAddress } from '../../stores/address.ts';
import { startsElsewhere } from './startsElsewhere.ts';
import SettingsEditor from './SettingsEditor.tsx';

/** How the open cluster was made: flags, features, files, nodes; and a restart with others. What is stored stays. */
export default function SettingsPanel() {
  const { cluster } = useCluster();
  const tab = useAddress((address) => address.path[0] ?? '');
  return (
    <SettingsEditor
      made={cluster.options}
      base={cluster.base}
      tab={tab}
      onTab={(next) => go({ path: [next] })}
      fixed={startsElsewhere(cluster)}
      onStart={(options) => void switchCluster(options)}
    />
  );
}
