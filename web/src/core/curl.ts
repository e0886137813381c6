/** A command that sends a document as it stands: nothing in it is read by the shell. */

/** Stands where the reader puts a key of theirs. */
export const KEY_PLACEHOLDER = 'svc_test_YOUR_KEY';

/**
 * A curl command with a JSON body in a quoted heredoc. JSON has no bare line ends, so the body is
 * one line and cannot be the word that ends it.
 */
export function curlCommand(url: string, body: object): string {
  return [
    `curl -sS '${url.replaceAll("'", "'\\''")}' \\`,
    `  -H 'Authorization: Bearer ${KEY_PLACEHOLDER}' \\`,
    "  -H 'Content-Type: application/json' --data-binary @- <<'JSON'",
    asciiJson(body),
    'JSON',
    '',
  ].join('\n');
}

/** JSON of ASCII alone: an interactive shell replaces `!` by an earlier command even here. */
function asciiJson(value: object): string {
  return JSON.stringify(value).replace(
    /[!\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
