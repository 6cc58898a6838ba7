/** Reads a request's body with a size limit, and parses it as JSON, YAML or Protobuf. */
import { status } from '../../schema/index.ts';
import { concatenate, decodeText, Part, WholeRequest } from '../../std/index.ts';
import { parseJson, SyntaxProblem } from './json.ts';

export { parseJson, SyntaxProblem };

/** The reference's size limit for an object. */
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The bytes of the body; throws 413 as soon as it is too large, without reading the rest. */
export async function readBody(request: Request, limit = MAX_BODY_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get('content-length') ?? '0');
  if (declared > limit) throw tooLarge(limit);
  if (request instanceof WholeRequest) {
    const bytes = await request.bytes();
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  }
  if (!request.body) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    size += part.value.length;
    if (size > limit) {
      await reader.cancel();
      throw tooLarge(limit);
    }
  }
  return concatenate(chunks);
}

const tooLarge = (limit: number): Error => status.tooLarge(`limit is ${limit}`);

/** Reads YAML; loaded with the first body that may be YAML. */
export const yamlReader = new Part(() => import('./yamlBody.ts'));

/**
 * The first document of a YAML text as a JSON value; JSON is valid YAML too. Throws SyntaxProblem. The server loads
 * `yamlReader` for requests with a YAML content type.
 */
export function parseYaml(text: string): unknown {
  if (/^[{[]/.test(text.trimStart())) {
    try {
      return parseJson(text);
    } catch {
      // Flow-style YAML that is not JSON is parsed below.
    }
  }
  return yamlReader.get().readYamlBody(text);
}

export const bodyText = (bytes: Uint8Array): string => decodeText(bytes);
