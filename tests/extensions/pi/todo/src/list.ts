export interface Todo {
	id: number;
	text: string;
}

export const describe = (todos: Todo[]): string => todos.map(({ id, text }) => `#${id} ${text}`).join(", ") || "nothing to do";
