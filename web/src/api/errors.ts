/** What a request ended with when it did not end well: the server's code, or one of ours. */
export class ApiError extends Error {
  constructor(
    /** HTTP status, 0 where no answer came. */
    readonly status: number,
    /** The server's `code`, or `unreachable`, `bad_answer`. */
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

interface ErrorBody {
  error?: { message?: unknown; code?: unknown; type?: unknown };
}

/** Builds the error from an answer's status, headers and body text. */
export function errorFromAnswer(
  status: number,
  body: string,
  header: (name: string) => string | null,
): ApiError {
  let message = '';
  let code = `http_${status}`;
  try {
    const parsed = JSON.parse(body) as ErrorBody;
    if (typeof parsed.error?.message === 'string') message = parsed.error.message;
    if (typeof parsed.error?.code === 'string') code = parsed.error.code;
    else if (typeof parsed.error?.type === 'string') code = parsed.error.type;
  } catch {
    // Not the server's JSON (a proxy's page, a cut answer): the status alone has to do.
  }
  const retryAfter = Number(header('retry-after'));
  return new ApiError(
    status,
    code,
    message,
    header('x-request-id'),
    Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
  );
}

/** Whether the request was cancelled by us. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** Any thrown value as an ApiError. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof TypeError) return new ApiError(0, 'unreachable', '');
  return new ApiError(0, 'bad_answer', error instanceof Error ? error.message : String(error));
}
