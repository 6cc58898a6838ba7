/** The audit event of a request in progress: collects its data, and sends each stage. */
import type { UserInfo } from '../authn/index.ts';
import { isObject, getOwn, setOwn } from '../std/index.ts';
import type { AuditEvent, ObjectReference, ResponseStatus } from './event.ts';
import { covers, type Judgement, type Level, type Stage } from './levels.ts';

/** What is known about a request when it arrives. */
export interface AuditedRequest {
  readonly auditID: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: Partial<UserInfo>;
  readonly sourceIPs: readonly string[];
  readonly userAgent: string;
  /** Missing for non-resource paths. */
  readonly objectRef?: ObjectReference;
}

/** Receives a finished event; returns false if it could not be recorded. */
export type Sink = (event: AuditEvent) => boolean;

const MAX_USER_AGENT = 1024;
const CUT = '...TRUNCATED';

export class AuditRecord {
  readonly level: Level;
  readonly #omitted: ReadonlySet<Stage>;
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #annotations: Record<string, string> = {};
  #event: Omit<AuditEvent, 'stage' | 'at' | 'annotations'>;
  #isClosed = false;

  constructor(request: AuditedRequest, judgement: Judgement, sink: Sink, now: () => number) {
    this.level = judgement.level;
    this.#omitted = judgement.omitStages;
    this.#sink = sink;
    this.#now = now;
    this.#event = { ...request, userAgent: cut(request.userAgent), level: judgement.level, received: now() };
  }

  get auditID(): string {
    return this.#event.auditID;
  }

  /** Whether this much is recorded of the request. */
  covers(wanted: Level): boolean {
    return covers(this.level, wanted);
  }

  /** Records a stage of the request. Returns false if the event could not be recorded. */
  stage(stage: Stage): boolean {
    if (this.#isClosed || this.#omitted.has(stage)) return true;
    return this.#sink({ ...this.#event, stage, at: this.#now(), annotations: { ...this.#annotations } });
  }

  /** Records no further stage. */
  close(): void {
    this.#isClosed = true;
  }

  /** Adds an annotation; the first value of a key stays. */
  annotate(key: string, value: string, from: Level = 'Metadata'): void {
    if (this.covers(from) && getOwn(this.#annotations, key) === undefined) setOwn(this.#annotations, key, value);
  }

  impersonated(impersonatedUser: UserInfo): void {
    this.#event = { ...this.#event, impersonatedUser };
  }

  /**
   * Records the object in the request, which may complete the object reference. An object of another group version than the
   * resource, such as a Scale, is not recorded itself.
   */
  requested(object: object, isOfResource = true): void {
    const known = this.#event.objectRef;
    if (known)
      this.#event = { ...this.#event, objectRef: completed(known, 'metadata' in object ? object.metadata : undefined) };
    if (isOfResource && this.covers('Request')) this.#event = { ...this.#event, requestObject: JSON.stringify(object) };
  }

  /** Records the patch in the request, as JSON text. */
  patched(patch: string): void {
    if (this.covers('Request')) this.#event = { ...this.#event, requestObject: patch };
  }

  responded(responseStatus: ResponseStatus): void {
    this.#event = { ...this.#event, responseStatus: { ...this.#event.responseStatus, ...responseStatus } };
  }

  /** Records the object in the response, as JSON text. */
  returned(responseObject: string): void {
    if (this.covers('RequestResponse')) this.#event = { ...this.#event, responseObject };
  }
}

const cut = (text: string): string => (text.length > MAX_USER_AGENT ? text.slice(0, MAX_USER_AGENT) + CUT : text);

const FROM_OBJECT = ['namespace', 'name', 'uid', 'resourceVersion'] as const;

/** Completes a reference from the object's metadata. */
function completed(known: ObjectReference, metadata: unknown): ObjectReference {
  const told = isObject(metadata) ? metadata : {};
  const more = FROM_OBJECT.flatMap((field) => {
    const value = told[field];
    return known[field] === undefined && typeof value === 'string' && value !== '' ? [[field, value] as const] : [];
  });
  const { resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource } = {
    ...known,
    ...Object.fromEntries(more),
  } as ObjectReference;
  return reference({ resource, namespace, name, uid, apiGroup, apiVersion, resourceVersion, subresource });
}

/** A reference without its empty parts. */
export function reference(parts: Partial<Record<keyof ObjectReference, string | undefined>>): ObjectReference {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined && value !== ''));
}
