/** All admission plugins in the reference's order. To add one: write its file in `plugins/`, add it to the list. */
import { defaultTolerationSeconds } from './plugins/defaultTolerationSeconds.ts';
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts';
import { priority } from './plugins/priority.ts';
import { serviceAccount } from './plugins/serviceAccount.ts';
import { taintNodesByCondition } from './plugins/taintNodesByCondition.ts';
import type { AdmissionPlugin, PluginDeclaration, PluginDeps } from './types.ts';

export const plugins: readonly PluginDeclaration[] = [namespaceLifecycle, serviceAccount, taintNodesByCondition, priority, defaultTolerationSeconds];

/** Thrown for a name that is no plugin's. */
export class UnknownPluginError extends Error {
  override name = 'UnknownPluginError';
}

/** The plugins that run: those on by default, plus `enable`, minus `disable` (names joined by commas). */
export function enabledPlugins(enable: string, disable: string, deps: (name: string) => PluginDeps): AdmissionPlugin[] {
  const on = names(enable);
  const off = names(disable);
  return plugins.filter((p) => (p.on || on.has(p.name)) && !off.has(p.name)).map((p) => p.create(deps(p.name)));
}

function names(text: string): ReadonlySet<string> {
  const all = text.split(',').map((name) => name.trim()).filter((name) => name !== '');
  const unknown = all.find((name) => !plugins.some((p) => p.name === name));
  if (unknown !== undefined) throw new UnknownPluginError(`there is no admission plugin ${JSON.stringify(unknown)}`);
  return new Set(all);
}
