import { EmptyState } from "./empty-state";

type Props = {
  /** Follows "access to". */
  readonly to: string;
  readonly who?: string | undefined;
};

export function NoAccess({ to, who }: Props) {
  return (
    <EmptyState kind="not_permitted" isPage title={`You don't have access to ${to}.`}>
      {who}
    </EmptyState>
  );
}
