/**
 * What a lesson is: data alone, the same for a lesson of the project and one that comes in a file. Its texts may hold words of the
 * naming profile, such as `{label}` or `{ctl}`; `fillLesson` fills them in.
 */
import type { Profile } from '../../names/index.ts';
import type { Json } from '../../std/index.ts';

/** How much one has to know already. */
export type Level = 'first steps' | 'basics' | 'deeper';

/** What a list of lessons shows. */
export interface LessonCard {
  /** Its name in addresses, and of its folder. */
  readonly id: string;
  readonly title: string;
  /** How long it takes, about. */
  readonly minutes: number;
  /** What one learns, in one sentence. */
  readonly learn: string;
  readonly level: Level;
}

/** A place in the page: a panel, and where in it. */
export interface PageLink {
  readonly panel: string;
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
}

/** Something that was seen in the lesson, and where the page shows it. */
export interface Seen {
  readonly text: string;
  readonly link: PageLink;
}

/** A person as whom things are tried. */
export interface LessonUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly about: string;
}

/** The cluster as the lesson finds it. */
export interface Start {
  /** The names that its manifests are written in, where they hold no words of the profile; then its cluster has these. */
  readonly naming?: Profile;
  readonly nodes?: number;
  /** What is installed besides the nodes: the name server as pods. */
  readonly addons?: readonly 'dns'[];
  /** A second API server works on the same storage, at `/servers/second`. */
  readonly twoServers?: boolean;
  /** Flags besides those that every lesson's cluster has. */
  readonly apiserver?: readonly string[];
  readonly controllerManager?: readonly string[];
  readonly scheduler?: readonly string[];
  readonly users?: readonly LessonUser[];
  readonly steps: readonly Step[];
}

/** The identity that a step acts as; by default the administrator. */
export interface Asker {
  readonly user?: string;
  readonly groups?: readonly string[];
  /** A bearer token, usually a kept value: `<token>`. */
  readonly token?: string;
  /** A certificate (PEM in base64, as a signing request holds it) and its key (PKCS#8 in base64). */
  readonly certificate?: string;
  readonly key?: string;
}

/** Something done: by the start of a lesson, and by its reference solution. `<word>` stands for a value kept before. */
export type Step =
  | {
      readonly do: 'apply';
      /** YAML documents. Each is created, or replaced where it is there already. */
      readonly manifest: string;
      readonly as?: Asker;
    }
  | {
      readonly do: 'request';
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly path: string;
      readonly body?: Json;
      readonly contentType?: string;
      readonly as?: Asker;
      /** The expected status code, if not a success. */
      readonly expect?: number;
      /** What is kept of the answer: a field's path by the word that will stand for it. */
      readonly keep?: Readonly<Record<string, string>>;
    }
  | {
      /** Waits until a check holds. */
      readonly do: 'wait';
      readonly for: Check;
    }
  | {
      /** Moves the cluster's clock ahead. */
      readonly do: 'clock';
      readonly seconds: number;
    };

/** What a field is to be. */
export type Want =
  | { readonly is: Json }
  | { readonly not: Json }
  | { readonly atLeast: number }
  | { readonly atMost: number }
  /** An element of a list, or a part of a text. */
  | { readonly has: Json }
  | { readonly lacks: Json }
  /** A list with no other elements than these. */
  | { readonly only: readonly Json[] }
  | { readonly exists: boolean };

/** A field by its path, such as `status.conditions[type=Ready].status`, and what it is to be. */
export type FieldWant = { readonly path: string } & Want;

/** How many: all that are named have to hold. */
export interface Count {
  readonly is?: number;
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Pods by their labels. */
export interface PodSelection {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Said {
  /** What is wanted, in one sentence. */
  readonly says: string;
}

/** One object: that it is there (or gone), and what its fields are. `resource` is written as `apps/v1/deployments` or `v1/pods`. */
export interface ObjectCheck extends Said {
  readonly look: 'object';
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
  readonly gone?: boolean;
  /** It has to be the object that the start made, not one that was deleted and made again. */
  readonly original?: boolean;
  readonly fields?: readonly FieldWant[];
}

/** How many objects of a selection have these fields. */
export interface ListCheck extends Said {
  readonly look: 'list';
  readonly resource: string;
  readonly namespace?: string;
  readonly labels?: string;
  readonly fields?: readonly FieldWant[];
  readonly count: Count;
}

/** Whether somebody may do something: each verb on each resource, or none of them. */
export interface AccessCheck extends Said {
  readonly look: 'access';
  readonly user: string;
  readonly groups?: readonly string[];
  readonly verb: string | readonly string[];
  /** `pods`, or `deployments.apps`. */
  readonly resource: string | readonly string[];
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly allowed: boolean;
}

/** Requests that people sent since the lesson began. Dry runs don't count: they change nothing. */
export interface RequestCheck extends Said {
  readonly look: 'requests';
  readonly user?: string;
  readonly method?: string;
  readonly verb?: string;
  /** A part of the path with its query; `*` stands for any text. */
  readonly path?: string;
  /** Parameters of the query, by their names. */
  readonly query?: readonly FieldWant[];
  readonly status?: number;
  /** By which method of authentication, such as `x509` or `serviceaccount`. */
  readonly by?: string;
  /** A part of the reason for which a watch was ended by the server. */
  readonly ended?: string;
  /** How many; by default one. */
  readonly atLeast?: number;
  /** Only requests count that were sent since the tasks before this one were done. */
  readonly anew?: boolean;
  /** Only watches count that begin from what is there now, or from a revision since the tasks before this one were done. */
  readonly fresh?: boolean;
  /** Only reads of an object or a list count that show it older than a write of it that was answered before, or only others. */
  readonly stale?: boolean;
  /** How many milliseconds the answer took, at least. */
  readonly took?: number;
}

/** Whether a connection would arrive. */
export interface NetworkCheck extends Said {
  readonly look: 'network';
  readonly from: PodSelection;
  /** Pods, or a name or an address. */
  readonly to: PodSelection | string;
  readonly port: number;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
  readonly allowed: boolean;
}

/** A question about the cluster whose answer says whether a task is done. It asks for outcomes, never how they came about. */
export type Check = ObjectCheck | ListCheck | AccessCheck | RequestCheck | NetworkCheck;

export interface Task {
  readonly title: string;
  /** Paragraphs; `code` stands between backticks. */
  readonly text: readonly string[];
  /** Where in the page it is done, or seen. */
  readonly where?: PageLink;
  /** Command lines that help; they can be copied. */
  readonly commands?: readonly string[];
  /** Command lines for whoever teaches, where learners are to find their own way. */
  readonly talk?: readonly string[];
  /** Each tells more than the one before. */
  readonly hints: readonly string[];
  readonly checks: readonly Check[];
  /** What a person could have done. */
  readonly solution: readonly Step[];
  /** For whoever teaches. */
  readonly note?: string;
}

export interface Lesson extends LessonCard {
  readonly intro: readonly string[];
  readonly start: Start;
  readonly tasks: readonly Task[];
  readonly seen: readonly Seen[];
  /** Why it matters outside of the lesson. */
  readonly why: readonly string[];
}

/** The verdict of a check: whether it holds, and what was found. */
export interface Verdict {
  readonly holds: boolean;
  readonly seen: string;
}
