/** The whole console: the kit, the cache, the pages and the corner of short messages; and where an ended session leads. */
import { MantineProvider } from '@mantine/core';
import type { MantineProviderProps } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { whenSignedOut } from '@/api/client';
import { queryClient } from '../queries';
import type { makeRouter } from '../router';
import { adoptSession, watchSession } from '../session';
import { colorSchemes, cssVariables, theme } from '../theme';
import { ToastCorner } from '../news/ToastCorner';

interface Props {
  router: ReturnType<typeof makeRouter>;
  /** What tests do without. */
  kit?: Pick<MantineProviderProps, 'env' | 'withCssVariables' | 'withGlobalClasses'>;
}

export function Root({ router, kit }: Props) {
  useEffect(() => {
    const lookAgain = () => void router.invalidate();
    whenSignedOut(() => {
      adoptSession(null);
      lookAgain();
    });
    return watchSession(lookAgain);
  }, [router]);
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={colorSchemes} defaultColorScheme="auto" {...kit}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <ToastCorner />
      </QueryClientProvider>
    </MantineProvider>
  );
}
