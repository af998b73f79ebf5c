/** Runs in the page; uses nothing from outside. */

export type Commit = {
  readonly drawn: number;
  /** Function components, including React Flow's. */
  readonly inside: number;
  readonly outside: number;
};

export type Probes = {
  readonly commits: Commit[];
  /** Ms since navigation. */
  readonly longTasks: { readonly start: number; readonly ms: number }[];
  /** Analyst, ms. */
  readonly answers: { readonly start: number; readonly ms: number }[];
  /** Press to end of frame, ms. */
  readonly keys: number[];
  /** Ms since navigation. */
  drawnAt: number | null;
};

declare global {
  var benchProbes: Probes;
}

type Fiber = {
  readonly tag: number;
  readonly flags: number;
  readonly alternate: Fiber | null;
  readonly child: Fiber | null;
  readonly sibling: Fiber | null;
  readonly stateNode: unknown;
};

export const installProbes = (): void => {
  const probes: Probes = { commits: [], longTasks: [], answers: [], keys: [], drawnAt: null };
  globalThis.benchProbes = probes;

  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) probes.longTasks.push({ start: entry.startTime, ms: entry.duration });
  }).observe({ type: "longtask", buffered: true });

  addEventListener(
    "keydown",
    () => {
      const pressed = performance.now();
      requestAnimationFrame(() => setTimeout(() => probes.keys.push(performance.now() - pressed)));
    },
    { capture: true },
  );

  /** Function, class, forwarded, memoised. */
  const components = new Set([0, 1, 11, 14, 15]);
  const performedWork = 1;
  const host = 5;
  const visit = (
    fiber: Fiber,
    before: Fiber | null,
    place: Element | null,
    isInside: boolean,
    found: { drawn: Set<Element>; inside: number; outside: number },
  ): void => {
    const element = fiber.tag === host && fiber.stateNode instanceof Element ? fiber.stateNode : null;
    const here = element?.matches(".react-flow__node, .react-flow__edge") === true ? element : place;
    const inside = isInside || element?.matches(".react-flow") === true;
    if (components.has(fiber.tag) && (fiber.flags & performedWork) !== 0) {
      if (here) found.drawn.add(here);
      if (inside) found.inside += 1;
      else found.outside += 1;
    }
    if (before !== null && fiber.child === before.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) visit(child, child.alternate, here, inside, found);
  };
  const onCommitFiberRoot = (_renderer: number, root: { readonly current: Fiber }): void => {
    const found = { drawn: new Set<Element>(), inside: 0, outside: 0 };
    visit(root.current, root.current.alternate, null, false, found);
    probes.commits.push({ drawn: found.drawn.size, inside: found.inside, outside: found.outside });
    probes.drawnAt ??= document.querySelector(".react-flow__node") === null ? null : performance.now();
  };
  Object.assign(globalThis, {
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      supportsFiber: true,
      isDisabled: false,
      inject: () => 1,
      checkDCE: () => {},
      onCommitFiberRoot,
      onCommitFiberUnmount: () => {},
      onPostCommitFiberRoot: () => {},
    },
  });

  class ProbedWorker extends Worker {
    private asked = 0;

    constructor(url: string | URL, options?: WorkerOptions) {
      super(url, options);
      if (options?.name !== "analyst") return;
      this.addEventListener("message", () => probes.answers.push({ start: this.asked, ms: performance.now() - this.asked }));
    }

    override postMessage(message: unknown): void {
      this.asked = performance.now();
      super.postMessage(message);
    }
  }
  globalThis.Worker = ProbedWorker;
};
