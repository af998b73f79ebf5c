import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toApiError } from "./api-error";

/** Faults and lost connections, not denials. */
const shouldRetry = (failures: number, error: unknown): boolean => {
  const code = toApiError(error).code;

  return failures < 2 && (code === "internal" || code === "runner_silent" || code === "server_unreachable");
};

/** Redirects signed-out users. */
export const goToSignIn = (error: unknown): void => {
  if (toApiError(error).code === "unauthenticated") window.location.assign("/sign-in");
};

export const makeQueryClient = (): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: goToSignIn }),
    mutationCache: new MutationCache({ onError: goToSignIn }),
    defaultOptions: { queries: { staleTime: 30_000, retry: shouldRetry }, mutations: { retry: false } },
  });
