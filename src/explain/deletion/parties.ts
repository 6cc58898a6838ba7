/** Which controllers run, by the controller manager's arguments. */

const OFF_BY_DEFAULT = ['bootstrapsigner', 'tokencleaner'];

/** Whether a controller is switched on. `apiserver` always is. */
export function partiesOf(controllerManager: readonly string[]): (party: string) => boolean {
  const listed = controllerManager
    .flatMap((argument) => /^--controllers=(.*)$/.exec(argument)?.[1]?.split(',') ?? [])
    .map((name) => name.trim());
  const collects = !controllerManager.includes('--enable-garbage-collector=false');
  return (party) => {
    if (party === 'garbagecollector' && !collects) return false;
    if (party === 'apiserver' || listed.length === 0) return !OFF_BY_DEFAULT.includes(party);
    if (listed.includes(`-${party}`)) return false;
    return listed.includes(party) || (listed.includes('*') && !OFF_BY_DEFAULT.includes(party));
  };
}
