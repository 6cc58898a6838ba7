import type { Process, Program } from '../../process.ts';
import { fail, out } from '../tool.ts';

interface Interface {
  readonly name: string;
  readonly address: string;
  readonly bits: number;
}

/** A pod has a loopback interface and one to the others. */
function interfacesOf({ system }: Process): Interface[] {
  const own = system.network.addresses.filter((address) => !address.includes(':')).slice(0, 1);
  return [
    { name: 'lo', address: '127.0.0.1', bits: 8 },
    ...own.map((address) => ({ name: 'eth0', address, bits: 24 })),
  ];
}

/** The hardware address follows from the address, as network plugins make it. */
const hardware = (address: string, separator = ':'): string =>
  ['0a', '58', ...address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'))].join(separator);

const gateway = (address: string): string => address.replace(/\d+$/, '1');

/** Whether a word is one that `ip` would shorten `full` to. */
const means = (word: string | undefined, full: string): boolean => word !== undefined && full.startsWith(word);

/** Shows interfaces and routes. Changing them needs the right to. */
export const ip: Program = async (process) => {
  const words = process.args.slice(1).filter((word) => !word.startsWith('-'));
  const [object = 'help', verb = 'show'] = words;
  if (!means(verb, 'show') && !means(verb, 'list')) {
    const { privileged, capabilities } = process.system.confinement;
    const may = process.user.uid === 0 && (privileged || capabilities.has('NET_ADMIN'));
    return may ? 0 : fail(process, 'RTNETLINK answers: Operation not permitted', 2);
  }
  if (means(object, 'address')) await out(process, addressText(process, true));
  else if (means(object, 'link')) await out(process, addressText(process, false));
  else if (means(object, 'route')) await out(process, routeText(process));
  else return fail(process, `either "addr", "link" or "route" is expected instead of "${object}"`);
  return 0;
};

function addressText(process: Process, withAddresses: boolean): string {
  return interfacesOf(process)
    .map(({ name, address, bits }, i) => {
      const isLoopback = name === 'lo';
      const flags = isLoopback ? 'LOOPBACK,UP,LOWER_UP' : 'BROADCAST,MULTICAST,UP,LOWER_UP';
      const link = isLoopback
        ? 'link/loopback 00:00:00:00:00:00 brd 00:00:00:00:00:00'
        : `link/ether ${hardware(address)} brd ff:ff:ff:ff:ff:ff`;
      const scope = isLoopback ? 'scope host lo' : `brd ${address.replace(/\d+$/, '255')} scope global ${name}`;
      const inet = withAddresses
        ? `    inet ${address}/${bits} ${scope}\n       valid_lft forever preferred_lft forever\n`
        : '';
      return `${i + 1}: ${name}: <${flags}> mtu ${isLoopback ? 65536 : 1450} qdisc noqueue state ${isLoopback ? 'UNKNOWN' : 'UP'} qlen 1000\n    ${link}\n${inet}`;
    })
    .join('');
}

function routeText(process: Process): string {
  const [, own] = interfacesOf(process);
  if (!own) return '';
  const network = own.address.replace(/\d+$/, '0/24');
  return `default via ${gateway(own.address)} dev eth0 \n${network} dev eth0 scope link  src ${own.address} \n`;
}

export const ifconfig: Program = async (process) => {
  const text = interfacesOf(process)
    .reverse()
    .map(({ name, address }) =>
      name === 'lo'
        ? `lo        Link encap:Local Loopback  \n          inet addr:${address}  Mask:255.0.0.0\n          UP LOOPBACK RUNNING  MTU:65536  Metric:1\n`
        : `${name}      Link encap:Ethernet  HWaddr ${hardware(address).toUpperCase()}  \n          inet addr:${address}  Bcast:${address.replace(/\d+$/, '255')}  Mask:255.255.255.0\n          UP BROADCAST RUNNING MULTICAST  MTU:1450  Metric:1\n`,
    )
    .join('\n');
  await out(process, `${text}\n`);
  return 0;
};

/** Shows kernel parameters: `sysctl net.core.somaxconn`, `sysctl -n …`. */
export const sysctl: Program = async (process) => {
  const names = process.args.slice(1).filter((word) => !word.startsWith('-'));
  const isShort = process.args.includes('-n');
  let code = 0;
  for (const name of names) {
    const path = `/proc/sys/${name.split('=')[0]?.replaceAll('.', '/') ?? ''}`;
    if (process.files.tryFind(path)?.node.type !== 'generated')
      code = await fail(process, `error: '${path}': No such file or directory`);
    else if (name.includes('='))
      code = await fail(process, `error setting key '${name.split('=')[0]}': Read-only file system`);
    else await out(process, `${isShort ? '' : `${name} = `}${process.files.text(path).trim()}\n`);
  }
  return code;
};
