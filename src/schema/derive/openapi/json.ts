/** The parts of an OpenAPI v2 document that we write. */
export interface Schema {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'body';
  readonly description: string;
  readonly required?: boolean;
  readonly type?: string;
  readonly uniqueItems?: boolean;
  readonly schema?: Schema;
}

export interface Operation {
  readonly description: string;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: Schema }>>;
  readonly [extension: `x-${string}`]: unknown;
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof METHODS)[number];

export type PathItem = { [M in Method]?: Operation } & { parameters?: readonly Parameter[] };

/** How a client says who it is. */
export interface ApiKey {
  readonly description: string;
  readonly type: 'apiKey';
  readonly name: string;
  readonly in: 'header';
}

export interface Document {
  readonly swagger: '2.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly securityDefinitions: Readonly<Record<string, ApiKey>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}
