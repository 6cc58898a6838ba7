/** What happened, read from the trace: requests on their way through the server, and the beats of which the picture is made. */
import {
  senderOf,
  type BodyEvent,
  type BriefEvent,
  type BriefStage,
  type Cause,
  type WatchEvent,
} from '../../../../trace/index.ts';
import { asText, at, parseJson } from '../../../stores/jsonValues.ts';
import { actorOfRequest, actorOfWatch, type ActorId } from './actors.ts';
import { refusalAt, refusalByAnswer, type Stop } from './refusals.ts';
import { isAfter, type Stage } from './stages.ts';
import { isBackground, namedBy, refOf, subjectOf, type Subject } from './subjects.ts';

/** What the picture is made of. */
export type GlassEvent = BriefEvent | WatchEvent;

/** A request on its way. */
export interface RecordedRequest {
  readonly id: string;
  /** Counts up in the order in which requests came in. */
  readonly number: number;
  /** Milliseconds since the epoch, by the cluster's clock. */
  readonly at: number;
  readonly method: string;
  readonly subject: Subject;
  readonly actor: ActorId;
  readonly origin: string;
  readonly user: string;
  readonly causes: readonly Cause[];
  /** The last stage that it passed. */
  readonly passed: Stage | undefined;
  readonly stop: Stop | undefined;
  readonly status: number | undefined;
  /** The revision that it made. */
  readonly revision: number | undefined;
  /** By their names, the webhooks that were asked. */
  readonly webhooks: readonly string[];
}

/** The smallest step that the picture takes. */
export type Beat = { readonly at: number } & (
  | { readonly what: 'entered' | 'answered'; readonly request: string }
  | { readonly what: 'passed' | 'stopped'; readonly request: string; readonly stage: Stage }
  | { readonly what: 'asked'; readonly request: string; readonly webhook: string }
  | { readonly what: 'stored'; readonly request: string; readonly revision: number }
  | { readonly what: 'notified'; readonly watcher: ActorId; readonly revision: number }
);

/** How the watches of somebody stand. */
export interface Watcher {
  readonly id: ActorId;
  /** The latest revision of which any of them was notified. */
  readonly revision: number;
  /** By request: how many changes wait to be sent. */
  readonly backlogs: ReadonlyMap<string, number>;
}

export interface Limits {
  readonly beats: number;
  readonly requests: number;
}

const LIMITS: Limits = { beats: 8000, requests: 3000 };

type Of<S extends BriefStage['stage']> = Extract<BriefStage, { readonly stage: S }>;

/** Gathers the trace for as long as somebody wants to look. What is too long ago is dropped. */
export class Recording {
  readonly #limits: Limits;
  readonly requests = new Map<string, RecordedRequest>();
  /** By the revision that they made. */
  readonly writes = new Map<number, RecordedRequest>();
  /** By the object that they are about, oldest first. */
  readonly about = new Map<string, readonly RecordedRequest[]>();
  readonly watchers = new Map<ActorId, Watcher>();
  /** Everybody who has asked for something. */
  readonly actors = new Set<ActorId>();
  beats: Beat[] = [];
  /** How many beats were dropped: the number of the first that is kept. */
  dropped = 0;
  revision = 0;
  /** Whether what belongs to the background is recorded too, from now on. */
  background = false;
  /** The watchers who were notified of a revision; they may be before the write itself is known. */
  readonly #notified = new Map<number, Set<ActorId>>();
  #number = 0;

  constructor(limits: Limits = LIMITS) {
    this.#limits = limits;
  }

  /** The number of the beat that comes next. */
  get end(): number {
    return this.dropped + this.beats.length;
  }

  take(events: readonly GlassEvent[]): void {
    for (const event of events) {
      if (event.topic === 'request') this.#request(event);
      else if (event.topic === 'watch') this.#watch(event);
      else if (event.topic === 'body') this.#body(event);
    }
    this.#forget();
  }

  #request(event: BriefStage): void {
    if (event.stage === 'stored') this.revision = Math.max(this.revision, event.revision);
    if (event.stage === 'received') return this.#received(event);
    const known = this.requests.get(event.request);
    if (!known) return;
    const recorded = event.stage === 'authorization' ? this.#askedBy(known, event) : known;
    const stop = refusalAt(event, recorded.user);
    if (stop) return this.#stopped(recorded, event.at, stop);
    switch (event.stage) {
      case 'authentication':
      case 'impersonation':
        return this.#known(recorded, event);
      case 'authorization':
        return this.#passed(recorded, event.at, event.stage);
      case 'admission':
      case 'idle':
        return recorded.passed === 'validation' ? undefined : this.#passed(recorded, event.at, 'admission');
      case 'validation':
        return this.#passed(recorded, event.at, event.stage);
      case 'object':
        return this.#set(withName(recorded, asText(at(event.object, 'metadata', 'name'))));
      case 'webhook':
        this.#set({ ...recorded, webhooks: [...recorded.webhooks, event.webhook] });
        return this.#beat({ at: event.at, what: 'asked', request: recorded.id, webhook: event.webhook });
      case 'stored':
        return this.#stored(recorded, event);
      case 'answered':
        return this.#answered(recorded, event);
      default:
        return undefined;
    }
  }

  #received(event: Of<'received'>): void {
    const sender = senderOf(event);
    const subject = subjectOf(event.url);
    const isFromNode = event.origin.startsWith('system:node:');
    if (sender !== 'person' && !this.background && isBackground(event.method, subject, isFromNode)) return;
    const actor = actorOfRequest(event.origin, sender, '');
    const { request: id, at: time, method, origin, causes = [] } = event;
    const blank = { passed: undefined, stop: undefined, status: undefined, revision: undefined, webhooks: [] };
    this.#number += 1;
    this.#set({ id, number: this.#number, at: time, method, subject, actor, origin, user: '', causes, ...blank });
    this.#beat({ at: time, what: 'entered', request: id });
  }

  #known(recorded: RecordedRequest, { at: time, user = '' }: Of<'authentication'> | Of<'impersonation'>): void {
    this.#passed(this.#withUser(recorded, user), time, 'authentication');
  }

  #askedBy(recorded: RecordedRequest, { attributes }: Of<'authorization'>): RecordedRequest {
    return this.#withUser(recorded, asText(at(attributes, 'user', 'name')));
  }

  #withUser(recorded: RecordedRequest, user: string): RecordedRequest {
    if (user === '' || user === recorded.user) return recorded;
    const isPerson = recorded.actor.startsWith('user:');
    return { ...recorded, user, actor: isPerson ? `user:${user}` : recorded.actor };
  }

  #passed(recorded: RecordedRequest, time: number, stage: Stage): void {
    if (!isAfter(stage, recorded.passed)) return this.#set(recorded);
    this.#set({ ...recorded, passed: stage });
    this.#beat({ at: time, what: 'passed', request: recorded.id, stage });
  }

  #stopped(recorded: RecordedRequest, time: number, stop: Stop): void {
    this.#set({ ...recorded, stop });
    this.#beat({ at: time, what: 'stopped', request: recorded.id, stage: stop.stage });
  }

  /** Some requests write several objects: each is a revision, the last is what the request is known by. */
  #stored(recorded: RecordedRequest, { at: time, key, revision }: Of<'stored'>): void {
    const stored = { ...recorded, subject: namedBy(recorded.subject, key), passed: 'storage' as const, revision };
    this.writes.set(revision, stored);
    this.#set(stored);
    this.#beat({ at: time, what: 'stored', request: recorded.id, revision });
    for (const watcher of this.notifiedOf(revision)) this.#beat({ at: time, what: 'notified', watcher, revision });
  }

  #answered(recorded: RecordedRequest, { at: time, status }: Of<'answered'>): void {
    const stop = recorded.stop ?? refusalByAnswer(status, recorded.passed, recorded.method);
    const ended = { ...recorded, status, stop };
    this.#set(ended);
    if (stop && !recorded.stop) this.#beat({ at: time, what: 'stopped', request: recorded.id, stage: stop.stage });
    this.#beat({ at: time, what: 'answered', request: recorded.id });
    if (ended.revision !== undefined || stop) this.#file(ended);
  }

  /** The answer's own words are the best reason. */
  #body({ request, of, text }: BodyEvent): void {
    const recorded = this.requests.get(request);
    if (of !== 'answer' || text === undefined || !recorded?.stop) return;
    const message = asText(at(parseJson(text), 'message'));
    if (message !== '') this.#set({ ...recorded, stop: { ...recorded.stop, message } });
  }

  #watch({ request, what, revision, backlog, user, userAgent, sent = [], at: time }: WatchEvent): void {
    const id = actorOfWatch(user, userAgent);
    const known = this.watchers.get(id);
    const backlogs = new Map(known?.backlogs);
    if (what === 'closed') backlogs.delete(request);
    else backlogs.set(request, backlog);
    this.watchers.set(id, { id, revision: Math.max(revision, known?.revision ?? 0), backlogs });
    for (const { revision: of } of sent) this.#notify(id, of, time);
  }

  #notify(watcher: ActorId, revision: number, time: number): void {
    const notified = this.#notified.get(revision) ?? new Set();
    if (notified.has(watcher)) return;
    this.#notified.set(revision, notified.add(watcher));
    if (this.writes.has(revision)) this.#beat({ at: time, what: 'notified', watcher, revision });
  }

  /** Who was notified of a revision so far. */
  notifiedOf(revision: number): readonly ActorId[] {
    return [...(this.#notified.get(revision) ?? [])];
  }

  #file(recorded: RecordedRequest): void {
    const ref = refOf(recorded.subject);
    this.about.set(ref, [...(this.about.get(ref) ?? []), recorded]);
  }

  #set(recorded: RecordedRequest): void {
    this.requests.set(recorded.id, recorded);
    if (recorded.revision !== undefined) this.writes.set(recorded.revision, recorded);
    this.actors.add(recorded.actor);
  }

  #beat(beat: Beat): void {
    this.beats.push(beat);
  }

  #forget(): void {
    const surplus = this.beats.length - this.#limits.beats;
    if (surplus > 0) {
      this.beats = this.beats.slice(surplus);
      this.dropped += surplus;
    }
    for (const recorded of this.requests.values()) {
      if (this.requests.size <= this.#limits.requests) break;
      this.#drop(recorded);
    }
    for (const revision of this.#notified.keys()) {
      if (this.#notified.size <= this.#limits.requests) break;
      this.#notified.delete(revision);
    }
  }

  #drop(recorded: RecordedRequest): void {
    const { id, revision, subject } = recorded;
    this.requests.delete(id);
    if (revision !== undefined) this.writes.delete(revision);
    const rest = (this.about.get(refOf(subject)) ?? []).filter((each) => each.id !== id);
    if (rest.length === 0) this.about.delete(refOf(subject));
    else this.about.set(refOf(subject), rest);
  }
}

/** The name of what is created stands in the object alone. */
const withName = (recorded: RecordedRequest, name: string): RecordedRequest =>
  recorded.subject.name !== '' || name === '' ? recorded : { ...recorded, subject: { ...recorded.subject, name } };
