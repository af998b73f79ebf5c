import { Button } from "./button";

type Props = {
  readonly query: { readonly hasNextPage: boolean; readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown };
};

export const LoadMore = ({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: Props) =>
  hasNextPage ? (
    <div className="flex justify-center p-3">
      <Button pending={isFetchingNextPage ? "Loading…" : null} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </div>
  ) : null;
