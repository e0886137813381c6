/** A refusal of the server, or that there was no answer at all. */

/** One fault of a refusal: where it is and what would be allowed. Members that do not apply are absent. */
export interface ErrorDetail {
  code: string;
  message: string;
  param?: string;
  allowed?: string[];
  current_version?: number;
  offset?: number;
  line?: number;
  limit?: string;
  max?: number;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
  details?: ErrorDetail[];
  requestId?: string;
  retryAfter?: number | null;
}

/** `status` 0 and `code` "offline": the server could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetail[];
  readonly requestId: string;
  /** Seconds to wait, or null if the server named none. */
  readonly retryAfter: number | null;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.status = refusal.status;
    this.code = refusal.code;
    this.details = refusal.details ?? [];
    this.requestId = refusal.requestId ?? '';
    this.retryAfter = refusal.retryAfter ?? null;
  }
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}

/** The refusal in an answer that is not of the 200 kind. */
export async function refusalOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const members = isRecord(body) ? body : {};
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new ApiError({
    status: response.status,
    code: text(members.code, 'unexpected_answer'),
    message: text(members.error, `The server answered with status ${response.status}.`),
    details: Array.isArray(members.details) ? members.details.filter(isDetail) : [],
    requestId: text(members.request_id, response.headers.get('X-Request-Id') ?? ''),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}

export function offline(): ApiError {
  return new ApiError({
    status: 0,
    code: 'offline',
    message: 'The server cannot be reached. Check that it runs and that you are connected.',
  });
}

function text(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isDetail(value: unknown): value is ErrorDetail {
  return isRecord(value) && typeof value.code === 'string' && typeof value.message === 'string';
}
