import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Clock } from '../../std/index.ts';
import type { VerifyKey } from './keys.ts';
import type { BoundRef } from './names.ts';

/** Reads objects that a token may depend on; undefined for missing ones. */
export interface TokenObjects {
  secret(namespace: string, name: string): ApiObject | undefined;
  serviceAccount(namespace: string, name: string): ApiObject | undefined;
  pod(namespace: string, name: string): ApiObject | undefined;
}

export interface ServiceAccountOptions {
  readonly names: Names;
  readonly clock: Clock;
  readonly keys: readonly VerifyKey[];
  readonly objects: TokenObjects;
  /** The default audiences of tokens, and of requests to this server (`--api-audiences`). */
  readonly audiences: readonly string[];
}

/** The account of a token, or why the token is invalid. */
export type Validation =
  | { readonly namespace: string; readonly name: string; readonly uid: string; readonly pod?: BoundRef }
  | { readonly why: string };

export type Validator = (claims: Readonly<Record<string, unknown>>, token: string) => Validation;
