/** The components' flags, as the palette finds them: told by the host when somebody first types. */
import { Flag } from 'lucide-preact';
import { useEffect, useState } from 'preact/compat';
import type { ComponentKey, FlagsInfo } from '../host.ts';
import { go } from '../stores/address.ts';
import { theCluster, theHost } from '../stores/session.ts';
import type { Command } from './commands.ts';

const tabs: Readonly<Record<ComponentKey, string>> = {
  apiserver: 'apiserver',
  controllerManager: 'controller-manager',
  scheduler: 'scheduler',
};

export const flagCommands = ({ components }: FlagsInfo): readonly Command[] =>
  components.flatMap(({ key, title, flags }) =>
    flags.map(({ name, help }) => ({
      key: `flag:${key}:${name}`,
      icon: Flag,
      label: `--${name}`,
      note: `${title}: ${help}`,
      run: () => go({ panel: 'settings', path: [tabs[key]], query: { flag: name, sel: undefined } }),
    })),
  );

/** A command for each flag; none until `wanted`. */
export function useFoundFlags(wanted: boolean): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  useEffect(() => {
    if (!wanted) return undefined;
    let gone = false;
    theHost()
      .flags?.describe(theCluster().names.profile)
      .then((info) => gone || setFound(flagCommands(info)))
      // Without a worker for it, flags are not found; everything else is.
      .catch(() => undefined);
    return () => void (gone = true);
  }, [wanted]);
  return found;
}
