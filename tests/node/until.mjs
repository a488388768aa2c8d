// Waits for a condition, never for a fixed time: polls until it is true, and fails at the deadline.

export async function until(condition, what, milliseconds = 10_000) {
  const end = performance.now() + milliseconds;
  let last;
  for (;;) {
    try {
      const value = await condition();
      if (value) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) throw new Error(`timed out after ${milliseconds} ms waiting for ${typeof what === "function" ? what() : what}; last: ${last}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
