import type { UserInfo } from '../authn/index.ts';
import type { ApiObject, GroupVersionKind, GroupVersionResource } from '../schema/index.ts';

export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One request as admission sees it. Objects are in the hub version (a webhook gets them converted); mutating plugins change `object` in place. */
export interface AdmissionAttributes {
  readonly operation: Operation;
  /** Kind and resource as requested. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** Absent for DELETE (and for CONNECT the options object stands here). */
  object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** CreateOptions, UpdateOptions, DeleteOptions (with apiVersion and kind), as webhooks get them. */
  readonly options: ApiObject | undefined;
  readonly requestId: string;
  addWarning(text: string): void;
  addAuditAnnotation(key: string, value: string): void;
}

/** A plugin of the chain; one file each. It refuses by throwing a StatusError; mutating ones change `attributes.object` in place. */
export interface AdmissionPlugin {
  readonly name: string;
  handles(operation: Operation): boolean;
  admit?(attributes: AdmissionAttributes, context: AdmissionContext): void | Promise<void>;
  validate?(attributes: AdmissionAttributes): void | Promise<void>;
}

/** What a mutating plugin may know of, and say to, the chain. */
export interface AdmissionContext {
  /** True in the second pass. */
  readonly reinvocation: boolean;
  /** Asks for a second pass of all mutating plugins once this one is over. */
  reinvoke(): void;
}
