import { Alert, Button, Code, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api, data } from '../../api/client';
import { notifyFailed } from '../../ui/notify';
import type { CheckedConnection } from './SftpFields';

interface Props {
  of: CheckedConnection;
  /** The user has compared the host key, or the certificate of an FTPS server. */
  onConfirm?: (shown: string) => void;
}

interface Found {
  code: string;
  host_key: string | null;
  fingerprint: string | null;
}

/** What a person has to compare: a host key, or the fingerprint of a certificate. */
function toConfirm(found: Found): { name: string; value: string } | null {
  if (found.code.startsWith('host_key_') && found.host_key !== null) {
    return { name: 'host key', value: found.host_key };
  }
  if (found.code === 'certificate_invalid' && found.fingerprint !== null) {
    return { name: 'certificate', value: found.fingerprint };
  }
  return null;
}

/** Checks the saved connection, and shows the host key or certificate to confirm. */
export function ConnectionCheck({ of, onConfirm }: Props) {
  const { partnerId, environment, isDirty } = of;
  const check = useMutation({
    mutationFn: async () =>
      (
        await data(
          api.POST('/api/partners/{id}/check-connection', {
            params: { path: { id: String(partnerId) } },
            body: { environment },
          }),
        )
      ).check,
    onError: (error) => notifyFailed('The connection could not be checked.', error),
  });
  const found = check.data;
  const confirmed = found === undefined ? null : toConfirm(found);
  return (
    <Stack gap="sm" align="flex-start">
      <Button
        variant="default"
        loading={check.isPending}
        disabled={isDirty}
        onClick={() => check.mutate()}
      >
        Check connection
      </Button>
      {isDirty && (
        <Text size="sm" c="dimmed">
          Save the connection to check it.
        </Text>
      )}
      {found !== undefined && (
        <Alert
          w="100%"
          role="status"
          color={found.code === 'succeeded' ? 'green' : 'red'}
          title={found.code === 'succeeded' ? 'The connection works' : 'Nothing can be sent yet'}
        >
          <Stack gap="sm" align="flex-start">
            <Text size="sm">{found.message}</Text>
            {confirmed !== null && (
              <>
                <Code style={{ overflowWrap: 'anywhere' }}>{found.fingerprint}</Code>
                <Button
                  variant="default"
                  onClick={() => {
                    onConfirm?.(confirmed.value);
                    check.reset();
                  }}
                >
                  I have compared it: use this {confirmed.name}
                </Button>
              </>
            )}
          </Stack>
        </Alert>
      )}
    </Stack>
  );
}
