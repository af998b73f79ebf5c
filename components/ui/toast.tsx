"use client";

import { Toast as Base } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, X } from "lucide-react";

type Notice = { readonly title: string; readonly description?: string; readonly tone?: "info" | "error" };

const manager = Base.createToastManager();

/** Shows a polite toast: the library hides assertive ones from screen readers while their buttons stay reachable. */
export const notify = ({ title, description, tone = "info" }: Notice): void => {
  manager.add({ title, description, type: tone, priority: "low", timeout: tone === "error" ? 10_000 : 5_000 });
};

const Notices = () => {
  const { toasts } = Base.useToastManager();

  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg bg-surface shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <Base.Content className="flex items-start gap-2 p-3">
        {toast.type === "error" ? (
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-refused" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-clean" />
        )}
        <div className="min-w-0 flex-1">
          <Base.Title className="text-sm font-medium break-words" />
          <Base.Description className="text-xs break-words text-muted" />
        </div>
        <Base.Close aria-label="Dismiss" className="rounded-sm p-0.5 text-faint hover:text-ink">
          <X aria-hidden className="size-4" />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ));
};

/** Toast viewport. Mount once. */
export const Toaster = () => (
  <Base.Provider toastManager={manager}>
    <Base.Portal>
      <Base.Viewport className="fixed right-4 bottom-4 z-50 flex w-80 flex-col gap-2">
        <Notices />
      </Base.Viewport>
    </Base.Portal>
  </Base.Provider>
);
