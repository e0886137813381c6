import { Text } from '@mantine/core';
import type { Schemas } from '../api/client';
import { visibleText } from '../core/visible';
import { warningText } from './warnings';

/** What a conversion left out or warns of otherwise, a line each. */
export function ConversionWarnings({
  warnings = [],
}: {
  warnings?: Schemas['ConversionNotice'][] | undefined;
}) {
  return warnings.map((warning) => (
    <Text key={`${warning.code} ${warning.param} ${warning.message}`} size="sm" c="var(--ls-warn)">
      {visibleText(warningText(warning))}
    </Text>
  ));
}
