import { expect, test } from 'vitest';
import { curlCommand } from './curl';

test('the body is one line between the words, whatever the document holds', () => {
  const document = "ISA*'$HOME`id`\\\nJSON\n!é~";
  expect(curlCommand('http://127.0.0.1:8080/api/v1/validate', { document })).toBe(
    [
      "curl -sS 'http://127.0.0.1:8080/api/v1/validate' \\",
      "  -H 'Authorization: Bearer svc_test_YOUR_KEY' \\",
      "  -H 'Content-Type: application/json' --data-binary @- <<'JSON'",
      '{"document":"ISA*\'$HOME`id`\\\\\\nJSON\\n\\u0021\\u00e9~"}',
      'JSON',
      '',
    ].join('\n'),
  );
});
