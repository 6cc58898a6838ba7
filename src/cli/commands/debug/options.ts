/** What `debug` may be told, and what does not go together. */
import type { Pod } from '../../../client/index.ts';
import type { objects } from '../../../schema/index.ts';
import { freshSeed, isImageName, seededRandom } from '../../../std/index.ts';
import type { Call } from '../../command/command.ts';
import { complaint } from '../../command/errors.ts';
import { pairs, text, toggle } from '../../command/flags.ts';

export const flags = {
  'arguments-only': toggle(),
  attach: toggle(),
  container: text({ short: 'c' }),
  'copy-to': text(),
  env: pairs(),
  image: text(),
  'image-pull-policy': text(),
  quiet: toggle(),
  replace: toggle(),
  'same-node': toggle(),
  'set-image': pairs(),
  'share-processes': toggle({
    initial: true,
  }),
  stdin: toggle({ short: 'i' }),
  target: text(),
  tty: toggle({ short: 't' }),
};

export type DebugCall = Call<typeof flags>;

/** The pod that is debugged, and the name of its debug container: empty where none was made. */
export interface Debugged {
  readonly pod: Pod;
  readonly container: string;
}

/** The words of a call: what is looked into, and what runs there. */
export function wordsOf({ args, argsBeforeDash: dash }: DebugCall): {
  readonly names: readonly string[];
  readonly program: readonly string[];
} {
  return dash < 0 ? { names: args, program: [] } : { names: args.slice(0, dash), program: args.slice(dash) };
}

/** Throws CommandError for flags that do not go together, in the reference's order. */
export function check(call: DebugCall): void {
  const { flags: given } = call;
  const { image, 'image-pull-policy': policy, container, 'copy-to': copyTo } = given;
  if (given.attach && call.given.has('attach') && image === '' && container === '')
    throw complaint('you must specify --container or create a new container using --image in order to attach.');
  if (copyTo === '') checkWithoutCopy(given);
  else checkCopy(call);
  if (image !== '' && !isImageName(image)) throw complaint(`invalid image name ${quoted(image)}: ${NO_REFERENCE}`);
  if (wordsOf(call).names.length === 0) throw complaint('NAME is required for debug');
  if (!['', 'Always', 'IfNotPresent', 'Never'].includes(policy))
    throw complaint(`invalid image pull policy: ${policy}`);
  for (const [name, wanted] of given['set-image'])
    if (!isImageName(wanted))
      throw complaint(`invalid image name ${quoted(wanted)} for container ${quoted(name)}: ${NO_REFERENCE}`);
  if (given.target !== '' && copyTo !== '')
    throw complaint('--target is incompatible with --copy-to. Use --share-processes instead.');
  if (given.tty && !given.stdin) throw complaint('-i/--stdin is required for containers with -t/--tty=true');
}

const NO_REFERENCE = 'invalid reference format';
const quoted = (word: string): string => JSON.stringify(word);

function checkCopy(call: DebugCall): void {
  const { image, container, 'set-image': images } = call.flags;
  const { program } = wordsOf(call);
  if (image === '' && images.size === 0 && program.length === 0)
    throw complaint('you must specify --image, --set-image or command arguments.');
  if (program.length > 0 && container === '' && image === '')
    throw complaint('you must specify an existing container or a new image when specifying args.');
}

function checkWithoutCopy(given: DebugCall['flags']): void {
  for (const [name, isGiven] of [
    ['replace', given.replace],
    ['same-node', given['same-node']],
    ['set-image', given['set-image'].size > 0],
  ])
    if (isGiven) throw complaint(`--${name} may only be used with --copy-to.`);
  if (given.image === '') throw complaint('you must specify --image when not using --copy-to.');
}

/** What the words behind `--` say of a container. */
export function programIn(call: DebugCall): Pick<objects.Container, 'command' | 'args'> {
  const { program } = wordsOf(call);
  if (program.length === 0) return {};
  return call.flags['arguments-only'] ? { args: [...program] } : { command: [...program] };
}

/** What the flags say of a container. */
export function wantedOf({ flags: given }: DebugCall): Partial<objects.Container> {
  const env = [...given.env].map(([name, value]) => ({ name, value }));
  return {
    ...(env.length > 0 ? { env } : {}),
    ...(given.image === '' ? {} : { image: given.image }),
    ...(given['image-pull-policy'] === '' ? {} : { imagePullPolicy: given['image-pull-policy'] }),
  };
}

/** A new container with a name of its own. */
export const newContainer = (call: DebugCall, name: string): objects.Container => ({
  ...{ name, resources: {}, terminationMessagePolicy: 'File' },
  ...{ ...wantedOf(call), ...programIn(call) },
  ...(call.flags.stdin ? { stdin: true } : {}),
  ...(call.flags.tty ? { tty: true } : {}),
});

const random = seededRandom(freshSeed());

/** The end of a generated name. */
export const suffix = (): string => random.suffix(5);

/** The name that was chosen for the debug container, or a new one, which is told. */
export function debuggerName({ session, flags: given }: DebugCall): string {
  if (given.container !== '') return given.container;
  const name = `debugger-${suffix()}`;
  if (!given.quiet) session.out(`Defaulting debug container name to ${name}.\n`);
  return name;
}
