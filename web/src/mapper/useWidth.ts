import { useMediaQuery } from '@mantine/hooks';

export type Width = 'wide' | 'medium' | 'narrow';

/** How much there is room for: both trees and the output, both trees, or the target alone. */
export function useWidth(): Width {
  const options = { getInitialValueInEffect: false };
  const wide = useMediaQuery('(min-width: 1100px)', true, options);
  const medium = useMediaQuery('(min-width: 700px)', true, options);
  return wide ? 'wide' : medium ? 'medium' : 'narrow';
}
