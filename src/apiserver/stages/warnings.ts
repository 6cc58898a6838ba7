/** Warning headers (RFC 7234, section 5.5): code 299, no agent, the text quoted. */
export function withWarnings(response: Response, warnings: ReadonlySet<string>): Response {
  for (const text of warnings)
    response.headers.append('warning', `299 - ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, ' '))}`);
  return response;
}
