import { Radio, Stack } from '@mantine/core';
import type { Role } from '../../core/keys';
import { ROLE_NAMES, ROLES, roleOf } from '../../core/roles';

interface Props {
  value: Role;
  onChange: (role: Role) => void;
}

/** What a user may do. */
export function RoleChoice({ value, onChange }: Props) {
  return (
    <Radio.Group label="Role" value={value} onChange={(chosen) => onChange(roleOf(chosen))}>
      <Stack mt="xs" gap="sm">
        {ROLE_NAMES.map((role) => (
          <Radio key={role} value={role} label={ROLES[role].word} description={ROLES[role].about} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
