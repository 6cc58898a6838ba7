/** The configuration of an extender, in configuration files and policies. */
import type { Trust } from '../../authn/index.ts';
import { parseDuration } from '../../schema/index.ts';
import { getOwn, decodeText, fromBase64, trimRight } from '../../std/index.ts';
import { ConfigurationError, type Fields } from '../config/fields.ts';

export interface ExtenderConfig {
  readonly urlPrefix: string;
  /** Appended to the URL prefix for each call; empty if the extender does not implement the call. */
  readonly filterVerb: string;
  readonly prioritizeVerb: string;
  readonly preemptVerb: string;
  readonly bindVerb: string;
  readonly weight: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly trust: Trust;
  /** The extender caches nodes, so it receives only their names. */
  readonly nodeCacheCapable: boolean;
  /** Resources for which it is called; without any it is called for every pod. */
  readonly managedResources: readonly string[];
  /** Those of them that the scheduler does not account for. */
  readonly ignoredResources: readonly string[];
  /** Whether pods can be scheduled when it fails. */
  readonly ignorable: boolean;
}

const DEFAULT_TIMEOUT = 5_000;
const LARGEST_WEIGHT = 2 ** 31 - 1;

/** Reads `extenders`; certificates refer to `files`. Throws ConfigurationError. */
export function extendersFrom(file: Fields, files: Readonly<Record<string, string>>): readonly ExtenderConfig[] {
  const extenders = file.list('extenders').map((fields) => extenderFrom(fields, files));
  const binders = extenders.filter(({ bindVerb }) => bindVerb !== '').length;
  if (binders > 1)
    throw new ConfigurationError(`extenders: Invalid value: found ${binders} extenders implementing bind`);
  return extenders;
}

function extenderFrom(fields: Fields, files: Readonly<Record<string, string>>): ExtenderConfig {
  const verb = (name: string): string => fields.text(name) ?? '';
  const managed = fields.list('managedResources').map(managedFrom);
  const config = {
    urlPrefix: trimRight(verb('urlPrefix'), '/'),
    filterVerb: verb('filterVerb'),
    prioritizeVerb: verb('prioritizeVerb'),
    preemptVerb: verb('preemptVerb'),
    bindVerb: verb('bindVerb'),
    weight: fields.number('weight', 0, LARGEST_WEIGHT) ?? 0,
    timeout: timeoutFrom(fields),
    trust: trustFrom(fields, files),
    nodeCacheCapable: fields.raw('nodeCacheCapable') === true,
    managedResources: managed.map(({ name }) => name),
    ignoredResources: managed.filter(({ ignored }) => ignored).map(({ name }) => name),
    ignorable: fields.raw('ignorable') === true,
  };
  fields.end();
  if (!URL.canParse(config.urlPrefix))
    throw new ConfigurationError(`${fields.at('urlPrefix')}: "${config.urlPrefix}" is no URL`);
  if (config.prioritizeVerb !== '' && config.weight === 0)
    throw new ConfigurationError(`${fields.at('weight')}: Invalid value: 0: must have a positive weight applied to it`);
  return config;
}

function managedFrom(fields: Fields): { readonly name: string; readonly ignored: boolean } {
  const managed = { name: fields.text('name') ?? '', ignored: fields.raw('ignoredByScheduler') === true };
  fields.end();
  return managed;
}

/** A duration such as `100ms` or, in policies, a number of nanoseconds. */
function timeoutFrom(fields: Fields): number {
  const value = fields.raw('httpTimeout');
  if (value === undefined) return DEFAULT_TIMEOUT;
  if (typeof value === 'number' && value >= 0) return value === 0 ? DEFAULT_TIMEOUT : value / 1e6;
  const timeout = typeof value === 'string' ? parseDuration(value) : undefined;
  if (timeout === undefined || timeout < 0)
    throw new ConfigurationError(`${fields.at('httpTimeout')}: invalid duration ${JSON.stringify(value)}`);
  return timeout || DEFAULT_TIMEOUT;
}

function trustFrom(fields: Fields, files: Readonly<Record<string, string>>): Trust {
  fields.raw('enableHTTPS');
  fields.raw('enableHttps');
  const tls = fields.fields('tlsConfig');
  if (!tls) return {};
  const data = tls.text('caData');
  const path = tls.text('caFile');
  const serverName = tls.text('serverName');
  const insecure = tls.raw('insecure') === true;
  // Client certificates can't be used in a tab.
  for (const name of ['certFile', 'keyFile', 'certData', 'keyData']) tls.raw(name);
  tls.end();
  const bytes = data === undefined ? undefined : fromBase64(data);
  if (data !== undefined && !bytes)
    throw new ConfigurationError(`${fields.at('tlsConfig.caData')}: illegal base64 data`);
  const authorities = bytes ? decodeText(bytes) : path && getOwn(files, path);
  return { ...(authorities && { authorities }), ...(serverName && { serverName }), ...(insecure && { insecure }) };
}
