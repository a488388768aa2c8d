// The differences between two states, as a list of {path, expected, actual}. Rows of cells are compared
// whole, and marked `isRow`.

const ROW_LISTS = new Set(["screen", "scrollback"]);

export function diffStates(expected, actual, path = "") {
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) =>
      diffMember(key, expected[key], actual[key], path ? `${path}.${key}` : key),
    );
  }
  return equal(expected, actual) ? [] : [{ path, expected, actual }];
}

function diffMember(key, expected, actual, path) {
  if (ROW_LISTS.has(key) && Array.isArray(expected) && Array.isArray(actual))
    return diffRows(expected, actual, path);
  return diffStates(expected, actual, path);
}

// Lines of history are numbered from the newest, since it is the oldest that one side may lack.
function diffRows(expected, actual, path) {
  const fromEnd = path.endsWith("scrollback");
  const length = Math.max(expected.length, actual.length);
  const differences = [];
  if (expected.length !== actual.length) {
    differences.push({ path: `${path}.length`, expected: expected.length, actual: actual.length });
  }
  for (let index = 0; index < length; index++) {
    const at = fromEnd ? -1 - index : index;
    const [left, right] = [expected.at(at), actual.at(at)];
    if (left && right && !equal(left, right)) {
      differences.push({ path: `${path}[${at}]`, isRow: true, expected: left, actual: right });
    }
  }
  return differences;
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const equal = (left, right) => JSON.stringify(left) === JSON.stringify(right);
