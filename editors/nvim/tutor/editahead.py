"""editahead in five steps. This is a copy: change what you like, and leave with :quit! when you are done."""

# 1. Ghost text. Go to the end of the last line of `remove`, type A, then Enter and
#    "self.quant" with the keyboard. Grey text continues it: {accept} accepts it,
#    {accept_word} accepts one word, {dismiss} rejects it. You can also type on.


class Inventory:
    def __init__(self):
        self.quantities = {}

    def add(self, name, count):
        self.quantities[name] = self.quantities.get(name, 0) + count

    def remove(self, name, count):
        self.check(name)


# 2. Next edits. Rename `check` to `verify` in the lines `first` and `second` (cw on the
#    name). The third place is marked: {edit_accept} jumps there, {edit_accept} again applies
#    it. {edit_reject} in normal mode rejects it, and it is not offered again for an hour.


def run(a, b, c):
    first = check(a)
    second = check(b)
    if first and second:
        return check(c)
    return None


# 3. All places at once. Undo the last change with u, and type :Editahead queue
#    The list has each remaining place: {apply} applies one, {apply_all} all that are
#    likely enough, {reject} rejects one.

# 4. Why, or why not. Put the cursor anywhere and type :Editahead explain
#    :checkhealth editahead checks the installation, :Editahead status shows the state.

# 5. Less or more. `precision` is the share of shown suggestions that should be right.
#        require('editahead').setup({ server = { settings = { editahead = { precision = 0.9 } } } })
#    :Editahead snooze 10 shows nothing for ten minutes, :Editahead toggle ghost switches ghost text,
#    :Editahead stats shows what became of suggestions. With `memory = true` beside `precision` that is
#    remembered on this machine, without names and text; without it, nothing is written to disk.
#    :help editahead has the rest.
