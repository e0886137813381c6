/**
 * A conversion by a saved map, as commands that run as they stand: whatever the document holds,
 * its text never meets the rules of a shell.
 */

import type { Format } from './model';

export interface UseIt {
  baseUrl: string;
  mapId: number;
  key: string;
  document: string;
  sourceFormat: Format;
  targetFormat: Format;
}

export interface Commands {
  curl: string;
  python: string;
  javascript: string;
  powershell: string;
  cli: string;
}

/** The texts for all languages. */
export function useItCommands(use: UseIt): Commands {
  const { baseUrl, mapId, key, document } = use;
  const url = `${baseUrl}/api/v1/convert`;
  const body = `{"map_id": ${mapId}, "document": ${asciiText(document)}}`;
  const call = { url, body, authorization: `Bearer ${key}` };
  return {
    curl: curl(call),
    python: python(call),
    javascript: javascript(call),
    powershell: powershell(call),
    cli: cli(use),
  };
}

interface Call {
  url: string;
  body: string;
  authorization: string;
}

/** A text as JSON of ASCII alone: terminals and old shells change anything else. */
function asciiText(text: string): string {
  // Some shells replace `!` by an earlier command even in quotes.
  return JSON.stringify(text).replace(
    /[!\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const shellText = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const shellWord = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : shellText(text));

function curl({ url, body, authorization }: Call): string {
  return `curl -sS ${shellWord(url)} -H ${shellText(`Authorization: ${authorization}`)} \\
  -H 'Content-Type: application/json' --data-binary @- <<'JSON'
${body}
JSON
`;
}

// A text of JSON is one of Python as well.
function python({ url, body, authorization }: Call): string {
  return `import json
import urllib.request

body = ${body}
request = urllib.request.Request(
    ${asciiText(url)},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": ${asciiText(authorization)},
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["output"])
`;
}

function javascript({ url, body, authorization }: Call): string {
  return `async function convert() {
  const answer = await fetch(${asciiText(url)}, {
    method: "POST",
    headers: {
      "Authorization": ${asciiText(authorization)},
      "Content-Type": "application/json",
    },
    body: JSON.stringify(${body}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).output;
}

convert().then(console.log);
`;
}

// In this kind of text nothing is replaced; it ends at a line that begins with '@ alone.
function powershell({ url, body, authorization }: Call): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
  return `$body = @'
${body}
'@
$headers = @{ Authorization = ${quoted(authorization)} }
$answer = Invoke-RestMethod -Method Post -Uri ${quoted(url)} -Headers $headers \`
  -ContentType 'application/json' -Body $body
$answer.output
`;
}

function cli({ mapId, document, sourceFormat, targetFormat }: UseIt): string {
  const file = `map-${mapId}.json`;
  const formats = `--from ${sourceFormat} --to ${targetFormat}`;
  const convert = `longshore convert --rules ${file} ${formats} -`;
  const start = `longshore maps export ${mapId} ${file} --force\n`;
  if (!isPlain(document)) {
    return `${start}printf '%b' ${shellText(printable(document))} | ${convert}\n`;
  }
  const word = endWord(document);
  const text = document.endsWith('\n') ? document : `${document}\n`;
  return `${start}${convert} <<'${word}'\n${text}${word}\n`;
}

/** Whether a terminal takes a text as it is. */
function isPlain(text: string): boolean {
  return /^[\n\x20-\x7e]*$/.test(text) && !text.includes('!');
}

/** A text for `printf '%b'`: control characters and backslashes as octal numbers of UTF-8. */
function printable(text: string): string {
  return text.replace(/[\\!\p{Cc}]/gu, (character) => {
    const code = character.charCodeAt(0);
    return (code < 0x80 ? [code] : [0xc2, code]).map(octal).join('');
  });
}

const octal = (byte: number) => `\\0${byte.toString(8).padStart(3, '0')}`;

/** A word that is no line of a document. */
function endWord(document: string): string {
  const lines = new Set(document.split('\n'));
  let word = 'DOCUMENT';
  for (let number = 2; lines.has(word); number += 1) {
    word = `DOCUMENT${number}`;
  }
  return word;
}
