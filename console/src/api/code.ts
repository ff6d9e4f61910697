/** Uploaded code: an archive under its SHA-256. */
import { apiUrl, csrfHeader } from './client';
import { ApiError, problemFrom, unreachable } from './problem';

/** Sending it again changes nothing. */
export async function uploadCode(digest: string, body: Blob, progress: (sent: number) => void, signal: AbortSignal): Promise<void> {
  await new Promise<void>((done, fail) => {
    // fetch does not tell how much it has sent.
    const request = new XMLHttpRequest();
    request.open('PUT', apiUrl(`code/${digest}`));
    for (const [name, value] of Object.entries(csrfHeader())) request.setRequestHeader(name, value);
    request.setRequestHeader('Content-Type', 'application/gzip');
    request.upload.addEventListener('progress', ({ loaded }) => progress(loaded));
    request.addEventListener('error', () => fail(unreachable()));
    request.addEventListener('abort', () => fail(new DOMException('aborted', 'AbortError')));
    request.addEventListener('load', () => (request.status < 300 ? done() : fail(refusal(request))));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function refusal({ status, responseText }: XMLHttpRequest): ApiError {
  let said: unknown = null;
  try {
    said = JSON.parse(responseText);
  } catch {
    // a proxy's own words
  }
  return new ApiError(problemFrom(said, new Response(null, { status })));
}
