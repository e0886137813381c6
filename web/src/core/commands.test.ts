import { describe, expect, it } from 'vitest';
import { type UseIt, useItCommands } from './commands';

const USE: UseIt = {
  baseUrl: 'http://127.0.0.1:8080',
  mapId: 7,
  key: 'svc_test_abc',
  document: 'ISA*00*~',
  sourceFormat: 'x12',
  targetFormat: 'json',
};

describe('useItCommands', () => {
  it('gives the documented curl', () => {
    expect(
      useItCommands(USE).curl,
    ).toBe(`curl -sS http://127.0.0.1:8080/api/v1/convert -H 'Authorization: Bearer svc_test_abc' \\
  -H 'Content-Type: application/json' --data-binary @- <<'JSON'
{"map_id": 7, "document": "ISA*00*~"}
JSON
`);
  });

  it('gives Python of the standard library', () => {
    expect(useItCommands(USE).python).toBe(`import json
import urllib.request

body = {"map_id": 7, "document": "ISA*00*~"}
request = urllib.request.Request(
    "http://127.0.0.1:8080/api/v1/convert",
    data=json.dumps(body).encode(),
    headers={
        "Authorization": "Bearer svc_test_abc",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer)["output"])
`);
  });

  it('gives JavaScript that runs as a script and as a module', () => {
    expect(useItCommands(USE).javascript).toBe(`async function convert() {
  const answer = await fetch("http://127.0.0.1:8080/api/v1/convert", {
    method: "POST",
    headers: {
      "Authorization": "Bearer svc_test_abc",
      "Content-Type": "application/json",
    },
    body: JSON.stringify({"map_id": 7, "document": "ISA*00*~"}),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).output;
}

convert().then(console.log);
`);
  });

  it('gives PowerShell whose text no line of the document can end', () => {
    const { powershell } = useItCommands({ ...USE, document: "a\n'@\n$x `b 'c'" });
    expect(powershell).toBe(`$body = @'
{"map_id": 7, "document": "a\\n'@\\n$x \`b 'c'"}
'@
$headers = @{ Authorization = 'Bearer svc_test_abc' }
$answer = Invoke-RestMethod -Method Post -Uri 'http://127.0.0.1:8080/api/v1/convert' -Headers $headers \`
  -ContentType 'application/json' -Body $body
$answer.output
`);
  });

  it('gives the command line, with an end word that is no line of the document', () => {
    expect(
      useItCommands({ ...USE, document: 'ST*1~\nDOCUMENT\n' }).cli,
    ).toBe(`longshore maps export 7 map-7.json --force
longshore convert --rules map-7.json --from x12 --to json - <<'DOCUMENT2'
ST*1~
DOCUMENT
DOCUMENT2
`);
  });

  it('writes control characters for the command line as numbers', () => {
    const { cli } = useItCommands({ ...USE, document: "a\u001d'\\\r\n" });
    expect(cli.split('\n')[1]).toBe(
      "printf '%b' 'a\\0035'\\''\\0134\\0015\\0012' | longshore convert --rules map-7.json --from x12 --to json -",
    );
  });

  it('writes what is not ASCII, and ! for shells, as numbers', () => {
    const { curl } = useItCommands({ ...USE, document: 'é!\u2028😀' });
    expect(curl).toContain('"document": "\\u00e9\\u0021\\u2028\\ud83d\\ude00"');
  });

  it('quotes what a shell would read', () => {
    const { curl } = useItCommands({ ...USE, baseUrl: 'http://[::1]:8080', key: "a'b" });
    expect(curl).toContain(
      "curl -sS 'http://[::1]:8080/api/v1/convert' -H 'Authorization: Bearer a'\\''b'",
    );
  });
});
