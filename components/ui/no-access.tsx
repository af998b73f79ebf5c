import { EmptyState } from "./empty-state";

type Props = {
  /** What the page shows, as it reads after "access to". */
  readonly to: string;
  /** Who has access. */
  readonly who?: string | undefined;
};

/** Page for a role without the permission to read it. */
export function NoAccess({ to, who }: Props) {
  return (
    <EmptyState kind="not_permitted" isPage title={`You don't have access to ${to}.`}>
      {who}
    </EmptyState>
  );
}
