"""What is measured, against what, and what was promised."""

from functools import cache

from benchmarks.tasks.task import Task


@cache
def tasks() -> dict[str, Task]:
    """Return every task by its name, in the order of the report."""
    from benchmarks.tasks import defaults, drop_ins, files, frames, shapes

    every = [
        *drop_ins.array_tasks(),
        *defaults.default_tasks(),
        *shapes.shape_tasks(),
        *frames.frame_tasks(),
        *drop_ins.text_tasks(),
        *frames.group_tasks(),
        *defaults.one_row_tasks(),
        *defaults.learning_tasks(),
        *files.file_tasks(),
    ]
    return {task.name: task for task in every}
