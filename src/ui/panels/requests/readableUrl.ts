/** The path of a request without the place that serves it, escapes undone where that is possible. */
export function readableUrl(url: string): string {
  const path = url.replace(/^https?:\/\/[^/]+/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
