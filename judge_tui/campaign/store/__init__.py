"""The campaign file: the only room with SQL. `creating` makes it, `opening` opens it, `connection`
reads and writes it, `schema` has its tables, `event` says what holds of what judges did; each other
module is one noun. `desk` is what a judge may see.
"""
