/** The typed client of the server: only here is `fetch` called. */
import createClient from 'openapi-fetch';
import { needsToken, onlyReads } from '../core/calls';
import { withExactDigits } from '../core/exactDigits';
import { context } from './context';
import { ApiError, offline, refusalOf } from './error';
import { login, type Where } from './login';
import type { components, paths } from './schema';

export type Schemas = components['schemas'];

/** Headers are set here for all calls; a caller names the version it edited, or its order. */
type WithoutHeaders<Operation> = Operation extends { parameters: infer Parameters }
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Parameters, 'header'> & {
        header?: { 'If-Match'?: string; 'Idempotency-Key'?: string };
      };
    }
  : Operation;
type BrowserPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithoutHeaders<paths[Path][Method]> };
};

/** Their answers hold the rules of a saved map. */
const HOLDS_RULES = /^\/api\/maps(\/\{map_id\}(\/restore)?)?$/;
/** These begin a session: nobody can be asked to log in for them. */
const WITHOUT_SESSION = new Set(['POST /api/session', 'POST /api/setup', 'GET /api/session']);

function prepared(request: Request): Request {
  request.headers.set('X-Environment', context.environment());
  if (needsToken(request.method)) request.headers.set('X-CSRF-Token', context.csrfToken());
  return request;
}

async function send(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw offline();
  }
}

/** After another tab has logged in, the cookie is new and our token is of the old session. */
async function renewToken(): Promise<Where> {
  const answer = await client.GET('/api/session');
  if (answer.data === undefined) throw offline();
  const { csrf_token, user } = answer.data;
  if (context.userId() !== user.id) {
    throw new ApiError({
      status: 403,
      code: 'other_user',
      message: `${user.email} has logged in in this browser in the meantime. Nothing was sent. Reload the page to continue as ${user.email}.`,
    });
  }
  context.setSession(csrf_token, user.id);
  return 'elsewhere';
}

/** Who has logged in in another tab has not said there that this is to be done. */
function notSent(): ApiError {
  return new ApiError({
    status: 403,
    code: 'logged_in_elsewhere',
    message:
      'You logged in again in another tab, so this request was not sent. Send it again if you still want it.',
  });
}

async function sendInSession(request: Request): Promise<Response> {
  const again = request.clone();
  const { method } = request;
  const { pathname } = new URL(request.url);
  const response = await send(prepared(request));
  if (response.ok || WITHOUT_SESSION.has(`${method} ${pathname}`)) return response;
  const { code } = await refusalOf(response.clone());
  // Not every 401: a wrong password during a running session is the page's own affair.
  if (code !== 'not_logged_in' && code !== 'csrf_failed') return response;
  const where = code === 'csrf_failed' ? await renewToken() : await login.needed();
  if (where === 'elsewhere' && !onlyReads(method, pathname)) throw notSent();
  return send(prepared(again));
}

const client = createClient<BrowserPaths>({
  baseUrl: window.location.origin,
  fetch: sendInSession,
});
client.use({
  async onResponse({ response, schemaPath, options }) {
    if (!response.ok) throw await refusalOf(response);
    // What is asked for as text is not read here, so nothing of it is lost.
    const isRead = options.parseAs !== 'text';
    if (!isRead || !HOLDS_RULES.test(schemaPath)) return response;
    return new Response(withExactDigits(await response.text()), response);
  },
});

/** Calls the server. Raises `ApiError` for every refusal, so an answer always has `data`. */
export const api = client;

/** The body of an answer. */
export async function data<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  const answer = await call.catch((error: unknown) => {
    // Such as the page of a proxy; what the browser says of it helps nobody.
    if (!(error instanceof SyntaxError)) throw error;
    throw new ApiError({
      status: 0,
      code: 'unexpected_answer',
      message: 'The response is not JSON. A proxy may have answered instead of the server.',
    });
  });
  if (answer.data === undefined) throw offline();
  return answer.data;
}

/** What a call of the public API answers. */
export interface PublicAnswer {
  status: number;
  body: string;
}

/**
 * Runs a saved map as any client with this key would: the only call of `/api/v1` from a page.
 * The key is used once and kept nowhere.
 */
export async function convertWithKey(key: string, body: string): Promise<PublicAnswer> {
  const response = await send(
    new Request('/api/v1/convert', {
      method: 'POST',
      credentials: 'omit',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body,
    }),
  );
  return { status: response.status, body: await response.text() };
}
