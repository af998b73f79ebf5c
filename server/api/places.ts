import { ApiError } from "./problem";

/** Places for long requests, per key and in this process. */
export const createPlaces = ({ perKey, inAll }: { readonly perKey: number; readonly inAll: number }) => {
  const taken = new Map<string, number>();
  let all = 0;

  return {
    /** Does the work in a place. @throws ApiError rate_limited */
    hold: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const own = taken.get(key) ?? 0;
      if (own >= perKey || all >= inAll) {
        const message = own >= perKey ? `This token already waits ${perKey} times.` : "Too many requests wait.";
        throw new ApiError("rate_limited", message, { headers: { "Retry-After": "5" } });
      }
      taken.set(key, own + 1);
      all += 1;
      try {
        return await work();
      } finally {
        all -= 1;
        const left = (taken.get(key) ?? 1) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      }
    },
  };
};
