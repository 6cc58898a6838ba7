/** The two naming profiles; a cluster has one for its whole life. */
export type Profile = 'cluster.io' | 'k8s.io';

/** The words from which every identifier that holds the product's own name is made. */
export interface Names {
  readonly profile: Profile;
  /** Suffix of API groups: `rbac.authorization.{domain}`. */
  readonly domain: string;
  /** Domain of labels, annotations, finalizers, signers, secret types: `node.{label}/not-ready`. */
  readonly label: string;
  /** The product in running text and in identifiers: `x-{product}-…`, the service `{product}`. */
  readonly product: string;
  readonly Product: string;
  /** Prefix of components and system namespaces: `{prefix}-system`. */
  readonly prefix: string;
  /** The node agent: `{agent}Version`. */
  readonly agent: string;
  /** Prefix of environment variables: `{env}SERVICE_HOST`. */
  readonly env: string;
  /** The command-line client: `{ctl}.{label}/last-applied-configuration`. */
  readonly ctl: string;
  /** Prefix of definitions in OpenAPI: `{openapi}.api.core.v1.Pod`. */
  readonly openapi: string;
  /** `{prefix}-system`, `{prefix}-public`, `{prefix}-node-lease`. */
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  /** Replaces each `{word}` of a template by this profile's word. */
  fill<T extends string>(template: T): Filled<T>;
  /** The text with this profile's identifiers (`cluster.io/hostname`) as the profile `k8s.io` has them. */
  asInField(text: string): string;
}

/** What a template becomes: a name with a slash keeps it, and so is the name of no inherited property. */
type Filled<T extends string> = T extends `${string}/${string}` ? `${string}/${string}` : string;

const WORDS = {
  'cluster.io': {
    domain: 'cluster.io',
    label: 'cluster.io',
    product: 'cluster',
    Product: 'Cluster',
    prefix: 'cluster',
    agent: 'clusterlet',
    env: 'CLUSTER_',
    ctl: 'clusterctl',
    openapi: 'io.cluster',
  },
  'k8s.io': {
    domain: 'k8s.io',
    label: 'kubernetes.io',
    product: 'kubernetes',
    Product: 'Kubernetes',
    prefix: 'kube',
    agent: 'kubelet',
    env: 'KUBERNETES_',
    ctl: 'kubectl',
    openapi: 'io.k8s',
  },
} as const;

/** The user name of the built-in administrator. */
export const ADMINISTRATOR = '{product}-admin';

/** The profiles by name, in the order in which they are offered; the first is the default. */
export const profiles = Object.keys(WORDS) as Profile[];

/** Narrows a text that came from outside. */
export function isProfile(text: unknown): text is Profile {
  return typeof text === 'string' && Object.hasOwn(WORDS, text);
}

/** A domain of this profile by itself or before a slash, where it stands for a label's or annotation's. */
const NEUTRAL_DOMAIN = /(?<![\w-])(clusterctl\.)?cluster\.io(\/?)/g;

function fieldIdentifiers(text: string): string {
  return text.replace(NEUTRAL_DOMAIN, (_, ctl: string | undefined, slash: string) =>
    slash === '' ? 'k8s.io' : `${ctl === undefined ? '' : 'kubectl.'}kubernetes.io/`,
  );
}

const made = new Map<Profile, Names>();

/** Caches the results of templates, because the same few hundred recur; the size is limited. */
const MOST_FILLED = 2000;

/** The names of a profile; the same value at every call. */
export function namesOf(profile: Profile): Names {
  const known = made.get(profile);
  if (known) return known;
  const words = new Map<string, string>(Object.entries(WORDS[profile]));
  const filled = new Map<string, string>();
  const fill = <T extends string>(template: T): Filled<T> => {
    let text = filled.get(template);
    if (text === undefined) {
      text = template.replace(/\{(\w+)\}/g, (all, word: string) => words.get(word) ?? all);
      if (filled.size >= MOST_FILLED) filled.clear();
      filled.set(template, text);
    }
    return text as Filled<T>;
  };
  const names: Names = {
    profile,
    ...WORDS[profile],
    systemNamespace: fill('{prefix}-system'),
    publicNamespace: fill('{prefix}-public'),
    nodeLeaseNamespace: fill('{prefix}-node-lease'),
    fill,
    asInField: profile === 'k8s.io' ? (text) => text : fieldIdentifiers,
  };
  made.set(profile, names);
  return names;
}
