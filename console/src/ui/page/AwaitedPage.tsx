/** In place of a thing's page: bones until it is there, why it cannot be read, or the way back where there is none of this name. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiError } from '@/api/problem';
import type { IconName } from '@/ui/icons';
import type { Crumb } from './Panel';
import { Page } from './Panel';
import { EmptyState, ErrorState, Skeleton } from './States';

interface Props {
  title: string;
  /** The list that it would be in. */
  list: Crumb;
  query: { error: unknown; refetch: () => unknown };
  bones?: number;
  icon: IconName;
  /** Said where there is none. */
  missing: string;
  text: string;
  back: string;
}

export function AwaitedPage({ title, list, query: { error, refetch }, bones = 8, icon, missing, text, back }: Props) {
  const { label: _, ...link } = list;
  return (
    <Page title={title} trail={[list]}>
      {!error ? (
        <Skeleton rows={bones} />
      ) : !(error instanceof ApiError && error.status === 404) ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <EmptyState
          icon={icon}
          title={missing}
          action={
            <Button variant="default" renderRoot={(props) => <Link {...link} {...props} />}>
              {back}
            </Button>
          }
        >
          {text}
        </EmptyState>
      )}
    </Page>
  );
}
